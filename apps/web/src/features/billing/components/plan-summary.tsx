import { Anchor, Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Panel } from '../../../components/panel.tsx';
import buttons from '../../../components/buttons.module.css';
import { useBilling, useMetrics } from '../../../session/account.ts';
import { messageOf } from '../../../components/notify.ts';
import { partsOfPlan } from '../../../format/format.ts';
import { PlanActions, PlanNotices } from './current-plan.tsx';
import { PlanUsage } from './plan-usage.tsx';

export function PlanSummary() {
  const usage = useMetrics();
  const billing = useBilling();
  const [metrics, record] = [usage.data, billing.data];
  const failed = [usage, billing].filter(({ data, error }) => data === undefined && error);
  if (failed[0]) {
    return (
      <Panel
        title="Plan"
        lead={`Your plan could not be loaded. ${messageOf(failed[0].error)}`}
        aside={
          <Button
            variant="default"
            size="sm"
            onClick={() => failed.forEach(({ refetch }) => void refetch())}
          >
            Try again
          </Button>
        }
      />
    );
  }
  if (!metrics) return <Panel title="Plan" lead="Loading your plan…" />;
  return (
    <Panel
      title={partsOfPlan(metrics.plan).plan}
      aside={
        <Anchor
          component={Link}
          className={buttons.text ?? ''}
          fz={14}
          fw={550}
          to={{ pathname: paths.profile, hash: 'billing' }}
        >
          Billing
        </Anchor>
      }
    >
      {record && <PlanNotices record={record} metrics={metrics} />}
      <PlanUsage metrics={metrics} />
      {record && <PlanActions record={record} />}
    </Panel>
  );
}
