import type { PlanChange } from '@engram/contract';
import { Button, Paper, Text } from '@mantine/core';
import { Dialog } from '../../../components/dialog.tsx';
import { Pairs } from '../../../components/pairs.tsx';
import { formatDollars, partsOfPlan } from '../../../format/plan-name.ts';
import { limits, perPeriod } from '../plan-rules.ts';
import type { ShownChange } from '../use-upgrade.ts';
import { PlanChangeAmounts } from './plan-change-amounts.tsx';
import { PlanFailure } from './plan-failure.tsx';

interface UpgradeModalProps extends ShownChange {
  opened: boolean;
  busy: boolean;
  /** Why the plan was not changed, or null. */
  error: unknown;
  onCancel: () => void;
  onUpgrade: () => void;
}

const upgrade = {
  title: 'Confirm Upgrade',
  text: 'Please check the plan details before proceeding with the upgrade.',
  yes: 'Upgrade',
};

const change = {
  title: 'Confirm Change',
  text: 'Please check the plan details before proceeding with the change.',
  yes: 'Change Plan',
};

/** What a change is called: only what begins at once is an upgrade. */
const words: Record<PlanChange['kind'], typeof upgrade> = {
  new: upgrade,
  upgrade,
  later: change,
  resume: { ...change, yes: 'Keep Plan' },
};

/** What the amounts do not say. */
const notes: Record<PlanChange['kind'], string | null> = {
  new: null,
  upgrade: 'The plan begins now, and the card that you paid with is charged.',
  later: 'You keep your plan until then, and can take this back. Nothing of it is lost.',
  resume: 'Your plan goes on as it is.',
};

/** Asks before a running plan is changed, with what the other one costs and holds. */
export function UpgradeModal({
  plan,
  change: { kind },
  change: shown,
  opened,
  busy,
  error,
  onCancel,
  onUpgrade,
}: UpgradeModalProps) {
  const { title, text, yes } = words[kind];
  return (
    <Dialog
      opened={opened}
      onClose={onCancel}
      title={title}
      size={440}
      locked={busy}
      actions={
        <>
          <Button variant="default" disabled={busy} onClick={onCancel} data-autofocus>
            Cancel
          </Button>
          <Button loading={busy} onClick={onUpgrade}>
            {yes}
          </Button>
        </>
      }
    >
      <Text mb={14}>{text}</Text>
      <Paper withBorder px={14} py={2} mb={12}>
        <Pairs
          lined
          pairs={[
            {
              label: partsOfPlan(plan.name).plan,
              value: `${formatDollars(plan.amount)} ${perPeriod(plan.billingPeriod)}`,
              strong: true,
            },
            ...limits.map(({ label, of }) => ({ label, value: of(plan) })),
          ]}
        />
      </Paper>
      <PlanChangeAmounts change={shown} />
      {notes[kind] && (
        <Text size="sm" c="dimmed">
          {notes[kind]}
        </Text>
      )}
      {error !== null && <PlanFailure title="Your plan was not changed." error={error} upgrade />}
    </Dialog>
  );
}
