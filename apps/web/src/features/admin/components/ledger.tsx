import type { LedgerEntry } from '@engram/contract';
import table from '../../../components/data-table.module.css';
import { PagedList } from '../../../components/paged-list.tsx';
import { formatChange, formatDateTime } from '../../../lib/format.ts';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { useAllLedger } from '../api/list-all-ledger.ts';
import { useAddresses } from '../api/list-emails.ts';
import classes from './admin.module.css';

/** Every change of anybody's credits. */
export function Ledger() {
  const ledger = useAllLedger();
  const addresses = useAddresses();
  return (
    <PagedList
      pages={ledger}
      nouns={['change of credits', 'changes of credits']}
      empty={<p className={classes.none}>No credits were added or used yet.</p>}
    >
      {(entries) => (
        <table className={table.table}>
          <caption className="eg-visually-hidden">Changes of credits, newest first</caption>
          <thead>
            <tr>
              <th scope="col">User</th>
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
              <LedgerRow key={entry.id} entry={entry} email={addresses?.get(entry.userId)} />
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  );
}

function LedgerRow({ entry, email }: { entry: LedgerEntry; email: string | undefined }) {
  const { timeZone, labelOf } = useTimeZone();
  const { userId, reason, createdDate, change, balance } = entry;
  return (
    <tr>
      <td data-main>{email ?? <span title={userId}>User {userId.slice(0, 8)}</span>}</td>
      <td data-label="What happened">{reason}</td>
      <td data-label="When">
        {formatDateTime(createdDate, timeZone)} {labelOf(createdDate)}
      </td>
      <td data-label="Change" data-number>
        {formatChange(change)}
      </td>
      <td data-label="Balance" data-number>
        {balance.toLocaleString('en-US')}
      </td>
    </tr>
  );
}
