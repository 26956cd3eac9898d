import type { BillingRecord, Metrics } from '@engram/contract';
import { formatDay } from '../../../lib/format.ts';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { FREE_PLAN } from '../../../lib/plan-name.ts';
import classes from './billing.module.css';

interface PlanNoticesProps {
  record: BillingRecord;
  metrics: Metrics;
}

/** What has to be known about a plan that has ended or will end. */
export function PlanNotices({ record, metrics }: PlanNoticesProps) {
  const { timeZone } = useTimeZone();
  const { status, renewsOn, filesDeletedOn } = record;
  return (
    <>
      {(status === 'EXPIRED' || metrics.status === 'Expired') && (
        <div className={classes.notice} data-tone="danger">
          <strong>Plan is Expired. Please upgrade to continue</strong>
          <p>
            Searching and uploading wait until then. Your files and answers stay, and you can read,
            export and delete them.
          </p>
        </div>
      )}
      {status === 'CANCELLED' && (
        <div className={classes.notice} data-tone="warning">
          <strong>Your subscription is cancelled.</strong>
          <p>
            You keep access until {renewsOn ? formatDay(renewsOn, timeZone) : 'its period ends'};
            then your account goes back to {FREE_PLAN}.
            {filesDeletedOn === null && ' As things stand, none of your files will be deleted.'}
          </p>
        </div>
      )}
      {filesDeletedOn !== null && (
        <div className={classes.notice} data-tone="danger">
          <strong>
            Files will be automatically deleted on {formatDay(filesDeletedOn, timeZone)}.
          </strong>
          <p>
            You store more than {FREE_PLAN} holds. One week after your plan’s end, the newest files
            go until the rest fits. Export or delete some before, or choose a plan, to decide it
            yourself.
          </p>
        </div>
      )}
    </>
  );
}
