import table from '../../../components/data-table.module.css';
import { PagedList } from '../../../components/paged-list.tsx';
import { formatDateTime } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useAudit } from '../api/list-audit.ts';
import classes from './admin.module.css';

/** What admins did, and whom it was done to. */
export function AuditLog() {
  const audit = useAudit();
  const { timeZone, labelOf } = useTimeZone();
  return (
    <PagedList
      pages={audit}
      nouns={['action', 'actions']}
      empty={<p className={classes.none}>No admin has done anything yet.</p>}
    >
      {(entries) => (
        <table className={table.table}>
          <caption className="eg-visually-hidden">What admins did, newest first</caption>
          <thead>
            <tr>
              <th scope="col">What was done</th>
              <th scope="col">Admin</th>
              <th scope="col">User</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ id, details, actor, subject, createdDate }) => (
              <tr key={id}>
                <td data-main>{details}</td>
                <td data-label="Admin">{actor?.email ?? 'Account deleted'}</td>
                <td data-label="User">{subject?.email ?? '–'}</td>
                <td data-label="When">
                  {formatDateTime(createdDate, timeZone)} {labelOf(createdDate)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PagedList>
  );
}
