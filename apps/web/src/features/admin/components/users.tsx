import type { AdminUser } from '@engram/contract';
import { listUsers } from '@engram/contract/browser';
import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { usePages } from '../../../api/use-pages.ts';
import { PagedList } from '../../../components/paged-list.tsx';
import { Table, Under, type Column } from '../../../components/table.tsx';
import { formatBytes, formatDay } from '../../../format/format.ts';
import { partsOfPlan } from '../../../format/plan-name.ts';

/** How long somebody pauses typing before the server is asked, in milliseconds. */
const PAUSE_MS = 300;

const joined = (...parts: (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

const columns: Column<AdminUser>[] = [
  {
    header: 'User',
    kind: 'main',
    cell: ({ email, name, role }) => (
      <Fact under={joined(name, role === 'ADMIN' && 'Admin')}>{email}</Fact>
    ),
  },
  {
    header: 'Plan',
    kind: 'short',
    cell: ({ plan, status }) => {
      const bought = partsOfPlan(plan);
      return (
        <Fact under={joined(bought.frequency, status !== 'Active' && status)}>{bought.plan}</Fact>
      );
    },
  },
  { header: 'Credits', kind: 'number', cell: ({ credit }) => credit.toLocaleString('en-US') },
  {
    header: 'Files',
    kind: 'number',
    cell: ({ files, stored }) => (
      <Fact under={files > 0 ? formatBytes(stored) : ''}>{files.toLocaleString('en-US')}</Fact>
    ),
  },
  { header: 'Since', kind: 'short', cell: ({ createdDate }) => formatDay(createdDate) },
];

/** Everybody with plan, credits and files. */
export function Users() {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const users = usePages(listUsers, { query: { q: q || undefined } }, { isLogged: true });
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
          <Text inherit py={24} c="dimmed" ta="center">
            {q ? `No name or address has “${q}” in it.` : 'Nobody is here.'}
          </Text>
        }
      >
        {(rows) => (
          <Table
            caption="Users, newest first"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            dense
          />
        )}
      </PagedList>
    </>
  );
}

/** A fact with what says more about it below; the two stand together where the table becomes cards. */
const Fact = ({ under, children }: { under: string; children: string }) => (
  <span>
    {children}
    {under && <Under>{under}</Under>}
  </span>
);
