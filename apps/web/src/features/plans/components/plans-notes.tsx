import type { Metrics } from '@engram/contract';
import { useAppSettings } from '../../../api/settings.ts';
import classes from './plans.module.css';

/** What holds for all plans, and what this server does about limits and money. */
export function PlansNotes({ metrics }: { metrics: Metrics | undefined }) {
  const { payments } = useAppSettings();
  return (
    <div className={classes.notes}>
      <p>
        Every plan reads the same kinds of files and answers in the same way; they differ in how
        many questions you can ask and how much you can keep. Days, weeks and months are counted in
        UTC.
      </p>
      {metrics?.enforced && (
        <p>
          Limits are enforced on this server: where one is used up, each further question takes a
          credit.
        </p>
      )}
      {metrics?.enforced === false && (
        <p>Limits are not enforced on this server: use is counted and shown, and stops nobody.</p>
      )}
      {payments.provider === 'sandbox' && (
        <p>Plans are bought in a sandbox on this server: no money moves.</p>
      )}
    </div>
  );
}
