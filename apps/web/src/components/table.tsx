import type { LedgerEntry } from '@engram/contract';
import type { ComponentProps, ReactNode } from 'react';
import { formatChange, formatDateTime } from '../format/format.ts';
import classes from './table.module.css';

export interface Column<Row> {
  /** The heading of the column, and the label of its values if the table becomes cards. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** 'main' names the row, 'number' is right-aligned, 'short' stays on one line. */
  kind?: 'main' | 'number' | 'short';
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Puts short values in two columns if the table becomes cards. */
  dense?: boolean;
}

interface TableFrameProps extends ComponentProps<'table'> {
  caption: string;
}

export const TableFrame = ({ caption, children, ...table }: TableFrameProps) => (
  <table {...table}>
    <caption className="eg-visually-hidden">{caption}</caption>
    {children}
  </table>
);

export function Table<Row>({ caption, columns, rows, keyOf, dense = false }: TableProps<Row>) {
  return (
    <TableFrame className={classes.table} caption={caption} data-dense={dense || undefined}>
      <thead>
        <tr>
          {columns.map(({ header, kind }) => (
            <th key={header} scope="col" data-number={kind === 'number' || undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ header, cell, kind }) => (
              <td
                key={header}
                data-label={kind === 'main' ? undefined : header}
                data-main={kind === 'main' || undefined}
                data-number={kind === 'number' || undefined}
                data-nowrap={kind === 'short' || undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

interface LedgerTableProps<Entry extends LedgerEntry> {
  caption: string;
  entries: readonly Entry[];
  userOf?: (entry: Entry) => ReactNode;
}

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
