import type { Metrics } from '@engram/contract';
import table from '../../../components/data-table.module.css';
import { PagedList } from '../../../components/paged-list.tsx';
import { Panel } from '../../../components/panel.tsx';
import { formatChange, formatDateTime, plural } from '../../../lib/format.ts';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { useLedger } from '../api/list-ledger.ts';
import classes from './billing.module.css';

/** The balance of credits, and every change of it. */
export function Credits({ metrics: { credit, enforced } }: { metrics: Metrics }) {
  const ledger = useLedger();
  const { timeZone, labelOf } = useTimeZone();
  return (
    <Panel
      title="Credits"
      lead={
        enforced
          ? 'A credit pays for one question when a limit of your plan is used up.'
          : 'A credit pays for one question when a limit is used up. Limits are not enforced here, so none are taken.'
      }
      aside={<span className={classes.balance}>{plural(credit, 'credit')}</span>}
    >
      <PagedList
        pages={ledger}
        nouns={['change of credits', 'changes of credits']}
        empty={<p className={classes.small}>No credits were added or used yet.</p>}
      >
        {(entries) => (
          <table className={table.table}>
            <caption className="eg-visually-hidden">Changes of your credits, newest first</caption>
            <thead>
              <tr>
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
              {entries.map(({ id, reason, createdDate, change, balance }) => (
                <tr key={id}>
                  <td data-main>{reason}</td>
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
              ))}
            </tbody>
          </table>
        )}
      </PagedList>
    </Panel>
  );
}
