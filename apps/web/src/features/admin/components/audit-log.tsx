import { Text } from '@mantine/core';
import type { AuditEntry } from '@engram/contract';
import { listAudit } from '@engram/contract/browser';
import { usePages } from '../../../api/use-pages.ts';
import { PagedList } from '../../../components/paged-list.tsx';
import { Table, type Column } from '../../../components/table.tsx';
import { formatDateTime } from '../../../format/format.ts';

/** What admins did, and whom it was done to. */
export function AuditLog() {
  const audit = usePages(listAudit, {}, { isLogged: true });
  const columns: Column<AuditEntry>[] = [
    { header: 'What was done', kind: 'main', cell: ({ details }) => details },
    { header: 'Admin', cell: ({ actor }) => actor?.email ?? 'Account deleted' },
    { header: 'User', cell: ({ subject }) => subject?.email ?? '–' },
    {
      header: 'When',
      cell: ({ createdDate }) => formatDateTime(createdDate),
    },
  ];
  return (
    <PagedList
      pages={audit}
      nouns={['action', 'actions']}
      empty={
        <Text inherit py={24} c="dimmed" ta="center">
          No admin has done anything yet.
        </Text>
      }
    >
      {(entries) => (
        <Table
          caption="What admins did, newest first"
          columns={columns}
          rows={entries}
          keyOf={({ id }) => id}
        />
      )}
    </PagedList>
  );
}
