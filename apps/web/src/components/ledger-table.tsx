import type { LedgerEntry } from '@engram/contract';
import type { ReactNode } from 'react';
import { formatChange, formatDateTime } from '../format/format.ts';
import { Table, type Column } from './table.tsx';

interface LedgerTableProps<Entry extends LedgerEntry> {
  caption: string;
  entries: readonly Entry[];
  /** The user of an entry, for lists of several users. */
  userOf?: (entry: Entry) => ReactNode;
}

/** Changes of credits with the balance after each. */
export function LedgerTable<Entry extends LedgerEntry>({
  caption,
  entries,
  userOf,
}: LedgerTableProps<Entry>) {
  const columns: Column<Entry>[] = [
    ...(userOf ? [{ header: 'User', kind: 'main', cell: userOf } as const] : []),
    {
      header: 'What happened',
      ...(userOf ? {} : { kind: 'main' as const }),
      cell: ({ reason }) => reason,
    },
    {
      header: 'When',
      kind: 'short',
      cell: ({ createdDate }) => formatDateTime(createdDate),
    },
    { header: 'Change', kind: 'number', cell: ({ change }) => formatChange(change) },
    { header: 'Balance', kind: 'number', cell: ({ balance }) => balance.toLocaleString('en-US') },
  ];
  return <Table caption={caption} columns={columns} rows={entries} keyOf={({ id }) => id} />;
}
