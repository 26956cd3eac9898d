import { Tabs, Text, TextInput } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import tabRow from '../../../components/tabs.module.css';
import { AddCredits } from './add-credits.tsx';
import type { AdminLedgerEntry, AdminUser, AuditEntry } from '@engram/contract';
import { listAllLedger, listAudit, listUsers } from '@engram/contract/browser';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { usePages } from '../../../api/use-pages.ts';
import { type Column, LedgerTable, Table } from '../../../components/table.tsx';
import { PagedList } from '../../../components/lists.tsx';
import { formatBytes, formatDateTime, formatDay, partsOfPlan } from '../../../format/format.ts';

/** A list is read only when its tab is opened, as the server logs it. */
export default function Admin() {
  return (
    <>
      <AddCredits />
      <Panel title="All users">
        <Tabs
          defaultValue="users"
          keepMounted={false}
          classNames={{ list: tabRow.list ?? '', tab: tabRow.tab ?? '' }}
        >
          <Tabs.List>
            <Tabs.Tab value="users">Users</Tabs.Tab>
            <Tabs.Tab value="ledger">Credit ledger</Tabs.Tab>
            <Tabs.Tab value="audit">Audit log</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel pt={20} value="users">
            <Users />
          </Tabs.Panel>
          <Tabs.Panel pt={20} value="ledger">
            <Ledger />
          </Tabs.Panel>
          <Tabs.Panel pt={20} value="audit">
            <AuditLog />
          </Tabs.Panel>
        </Tabs>
      </Panel>
    </>
  );
}

const Empty = ({ children }: { children: string }) => (
  <Text inherit py={24} c="dimmed" ta="center">
    {children}
  </Text>
);

const TYPING_PAUSE_MS = 300;

const joinParts = (...parts: (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

/** A fact with another one below it. They stay together when the table becomes cards. */
const Fact = ({ under, children }: { under: string; children: string }) => (
  <span>
    {children}
    {under && (
      <Text span display="block" size="sm" fw={400} c="dimmed">
        {under}
      </Text>
    )}
  </span>
);

const userColumns: Column<AdminUser>[] = [
  {
    header: 'User',
    kind: 'main',
    cell: ({ email, name, role }) => (
      <Fact under={joinParts(name, role === 'ADMIN' && 'Admin')}>{email}</Fact>
    ),
  },
  {
    header: 'Plan',
    kind: 'short',
    cell: ({ plan, status }) => {
      const bought = partsOfPlan(plan);
      return (
        <Fact under={joinParts(bought.frequency, status !== 'Active' && status)}>
          {bought.plan}
        </Fact>
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

function Users() {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
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
        empty={<Empty>{q ? `No name or address contains “${q}”.` : 'There are no users.'}</Empty>}
      >
        {(rows) => (
          <Table
            caption="Users, newest first"
            columns={userColumns}
            rows={rows}
            keyOf={({ id }) => id}
            dense
          />
        )}
      </PagedList>
    </>
  );
}

const userOf = ({ userId, email }: AdminLedgerEntry): ReactNode =>
  email ?? <span title={userId}>User {userId.slice(0, 8)}</span>;

function Ledger() {
  const ledger = usePages(listAllLedger, {}, { isLogged: true });
  return (
    <PagedList
      pages={ledger}
      nouns={['change of credits', 'changes of credits']}
      empty={<Empty>No credits have been added or used yet.</Empty>}
    >
      {(entries) => (
        <LedgerTable caption="Changes of credits, newest first" entries={entries} userOf={userOf} />
      )}
    </PagedList>
  );
}

const auditColumns: Column<AuditEntry>[] = [
  { header: 'What was done', kind: 'main', cell: ({ details }) => details },
  { header: 'Admin', cell: ({ actor }) => actor?.email ?? 'Account deleted' },
  { header: 'User', cell: ({ subject }) => subject?.email ?? '–' },
  { header: 'When', cell: ({ createdDate }) => formatDateTime(createdDate) },
];

function AuditLog() {
  const audit = usePages(listAudit, {}, { isLogged: true });
  return (
    <PagedList
      pages={audit}
      nouns={['action', 'actions']}
      empty={<Empty>No admin has done anything yet.</Empty>}
    >
      {(entries) => (
        <Table
          caption="What admins did, newest first"
          columns={auditColumns}
          rows={entries}
          keyOf={({ id }) => id}
        />
      )}
    </PagedList>
  );
}
