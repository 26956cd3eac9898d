import type { Plan } from '@engram/contract';
import { Button, Group, Modal } from '@mantine/core';
import { formatDollars, partsOfPlan } from '../../../lib/plan-name.ts';
import { limits, perPeriod } from '../plan-rules.ts';
import { PlanFailure } from './plan-failure.tsx';
import classes from './upgrade-modal.module.css';

interface UpgradeModalProps {
  plan: Plan;
  opened: boolean;
  busy: boolean;
  /** Why the plan was not changed, or null. */
  error: unknown;
  onCancel: () => void;
  onUpgrade: () => void;
}

/** Asks before a running plan is changed, with what the other one costs and holds. */
export function UpgradeModal({
  plan,
  opened,
  busy,
  error,
  onCancel,
  onUpgrade,
}: UpgradeModalProps) {
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title="Confirm Upgrade"
      size={440}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <p className={classes.text}>
        Please check the plan details before proceeding with the upgrade.
      </p>
      <dl className={classes.details}>
        <div>
          <dt>{partsOfPlan(plan.name).plan}</dt>
          <dd>
            {formatDollars(plan.amount)} {perPeriod(plan.billingPeriod)}
          </dd>
        </div>
        {limits.map(({ label, of }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{of(plan)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>What is left of your running plan is set against the price.</p>
      {error !== null && <PlanFailure title="Your plan was not changed." error={error} upgrade />}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button loading={busy} onClick={onUpgrade}>
          Upgrade
        </Button>
      </Group>
    </Modal>
  );
}
