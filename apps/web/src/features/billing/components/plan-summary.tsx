import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Panel } from '../../../components/panel.tsx';
import { useMetrics } from '../../../lib/account.ts';
import { useBilling } from '../api/get-billing.ts';
import { partsOfPlan } from '../../../lib/plan-name.ts';
import classes from './billing.module.css';
import { PlanActions } from './plan-actions.tsx';
import { PlanNotices } from './plan-notices.tsx';
import { PlanUsage } from './plan-usage.tsx';

/** The plan in short: its use and limits, and what can be done about it. */
export function PlanSummary() {
  const { data: metrics, error } = useMetrics();
  const { data: record } = useBilling();
  if (!metrics) {
    return (
      <Panel
        title="Plan"
        lead={error ? 'What your plan allows could not be loaded.' : 'Loading your plan…'}
      />
    );
  }
  return (
    <Panel
      title={partsOfPlan(metrics.plan).plan}
      aside={
        <Link className={classes.link} to={{ pathname: paths.profile, hash: 'billing' }}>
          Billing
        </Link>
      }
    >
      {record && <PlanNotices record={record} metrics={metrics} />}
      <PlanUsage metrics={metrics} />
      {record && <PlanActions record={record} />}
    </Panel>
  );
}
