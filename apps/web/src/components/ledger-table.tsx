import type { LedgerEntry } from '@engram/contract';
import type { ReactNode } from 'react';
import { formatChange, formatDateTime } from '../format/format.ts';
import { useTimeZone } from '../format/time-zone.ts';
import table from './data-table.module.css';

interface LedgerTableProps<Entry extends LedgerEntry> {
  /** What the table shows, for those who do not see it. */
  caption: string;
  entries: readonly Entry[];
  /** Whose credits changed, where they are not all the reader's own. */
  userOf?: (entry: Entry) => ReactNode;
}

/** Changes of credits with the balance after each. */
export function LedgerTable<Entry extends LedgerEntry>({
  caption,
  entries,
  userOf,
}: LedgerTableProps<Entry>) {
  const { timeZone, labelOf } = useTimeZone();
  return (
    <table className={table.table}>
      <caption className="eg-visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {userOf && <th scope="col">User</th>}
          <th scope="col">What happened</th>
          <th scope="col">When</th>
          <th scope="col" data-number>
            Change
          </th>
          <th scope="col" data-number>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            {userOf && <td data-main>{userOf(entry)}</td>}
            <td {...(userOf ? { 'data-label': 'What happened' } : { 'data-main': true })}>
              {entry.reason}
            </td>
            <td data-label="When" data-nowrap>
              {formatDateTime(entry.createdDate, timeZone)} {labelOf(entry.createdDate)}
            </td>
            <td data-label="Change" data-number>
              {formatChange(entry.change)}
            </td>
            <td data-label="Balance" data-number>
              {entry.balance.toLocaleString('en-US')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
