import type { AdminUser } from '@engram/contract';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import table from '../../../components/data-table.module.css';
import { PagedList } from '../../../components/paged-list.tsx';
import { formatBytes, formatDay } from '../../../format/format.ts';
import { partsOfPlan } from '../../../format/plan-name.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useUsers } from '../api/list-users.ts';
import classes from './admin.module.css';

/** How long somebody pauses typing before the server is asked, in milliseconds. */
const PAUSE_MS = 300;

/** Everybody with plan, credits and files. */
export function Users() {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const users = useUsers(q);
  return (
    <>
      <TextInput
        mb={12}
        aria-label="Search users"
        placeholder="Search by name or e-mail"
        leftSection={<IconSearch size={16} stroke={1.7} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <PagedList
        pages={users}
        nouns={['user', 'users']}
        empty={
          <p className={classes.none}>
            {q ? `No name or address has “${q}” in it.` : 'Nobody is here.'}
          </p>
        }
      >
        {(rows) => (
          <table className={table.table} data-dense>
            <caption className="eg-visually-hidden">Users, newest first</caption>
            <thead>
              <tr>
                <th scope="col">User</th>
                <th scope="col">Plan</th>
                <th scope="col" data-number>
                  Credits
                </th>
                <th scope="col" data-number>
                  Files
                </th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((user) => (
                <UserRow key={user.id} user={user} />
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </>
  );
}

function UserRow({ user }: { user: AdminUser }) {
  const { timeZone } = useTimeZone();
  const { email, name, role, plan, status, credit, files, stored, createdDate } = user;
  const bought = partsOfPlan(plan);
  return (
    <tr>
      <td data-main>
        {email}
        <span className={table.under}>
          {[name, role === 'ADMIN' ? 'Admin' : null].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td data-label="Plan" data-nowrap>
        <span>
          {bought.plan}
          <span className={table.under}>
            {[bought.frequency, status === 'Active' ? null : status].filter(Boolean).join(' · ')}
          </span>
        </span>
      </td>
      <td data-label="Credits" data-number>
        {credit.toLocaleString('en-US')}
      </td>
      <td data-label="Files" data-number>
        <span>
          {files.toLocaleString('en-US')}
          {files > 0 && <span className={table.under}>{formatBytes(stored)}</span>}
        </span>
      </td>
      <td data-label="Since" data-nowrap>
        {formatDay(createdDate, timeZone)}
      </td>
    </tr>
  );
}
