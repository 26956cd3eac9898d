import { Text } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import classes from './table.module.css';

/** One column of a table of facts about rows. */
export interface Column<Row> {
  /** Stands above the column; where the table becomes cards, beside each of its facts. */
  header: string;
  /** What the column says of a row. */
  cell: (row: Row) => ReactNode;
  /** 'main' names the row, 'number' is set to the right, 'short' stays on one line. */
  kind?: 'main' | 'number' | 'short';
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Sets short facts two by two where the table becomes cards. */
  dense?: boolean;
}

interface TableFrameProps extends ComponentProps<'table'> {
  caption: string;
}

/** A table that is named for those who do not see it. */
export const TableFrame = ({ caption, children, ...table }: TableFrameProps) => (
  <table {...table}>
    <caption className="eg-visually-hidden">{caption}</caption>
    {children}
  </table>
);

/** Rows of facts: a table, and cards where the panel around it is narrow. */
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

/** Says more about a fact, smaller and below it. */
export const Under = ({ children }: { children: ReactNode }) => (
  <Text span display="block" size="sm" fw={400} c="dimmed">
    {children}
  </Text>
);
