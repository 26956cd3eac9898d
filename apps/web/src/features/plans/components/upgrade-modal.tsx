import type { PlanChange } from '@engram/contract';
import { Paper } from '@mantine/core';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { Pairs } from '../../../components/pairs.tsx';
import { formatDay, formatDollars, partsOfPlan } from '../../../format/format.ts';
import type { PreviewedChange } from '../api.ts';
import { limits, perPeriod } from '../offers.ts';
import { PlanFailure } from './plan-failure.tsx';

const upgrade = {
  title: 'Confirm Upgrade',
  text: 'Please check the plan details before proceeding with the upgrade.',
  yes: 'Upgrade',
};

const later = {
  title: 'Confirm Change',
  text: 'Please check the plan details before proceeding with the change.',
  yes: 'Change Plan',
};

/** The texts of the dialog. Only a change that begins immediately is called an upgrade. */
const texts: Record<PlanChange['kind'], typeof upgrade & { note?: string }> = {
  new: upgrade,
  upgrade: {
    ...upgrade,
    note: 'The plan begins now, and your card is charged.',
  },
  later: {
    ...later,
    note: 'You keep your plan until then, and can undo this change.',
  },
  resume: { ...later, yes: 'Keep Plan', note: 'Your plan continues unchanged.' },
};

interface UpgradeModalProps extends PreviewedChange {
  opened: boolean;
  isPending: boolean;
  error: unknown;
  onCancel: () => void;
  onUpgrade: () => void;
}

export default function UpgradeModal(props: UpgradeModalProps) {
  const { plan, change, opened, isPending, error, onCancel, onUpgrade } = props;
  const { title, text, yes, note } = texts[change.kind];
  return (
    <ConfirmModal
      opened={opened}
      title={title}
      question={text}
      consequence={note}
      yes={yes}
      color="indigo"
      pending={isPending}
      onClose={onCancel}
      onConfirm={onUpgrade}
    >
      <Paper px={14} py={2} mt={14} mb={12}>
        <Pairs
          lined
          pairs={[
            {
              label: partsOfPlan(plan.name).plan,
              value: `${formatDollars(plan.amount)} ${perPeriod(plan.billingPeriod)}`,
              strong: true,
            },
            ...limits.map(({ label, format }) => ({ label, value: format(plan) })),
          ]}
        />
      </Paper>
      <Pairs mb={16} px={14} pairs={amountsOf(change)} />
      {error !== null && <PlanFailure title="Your plan was not changed." error={error} upgrade />}
    </ConfirmModal>
  );
}

function amountsOf({ kind, beginsOn, dueToday, price, credited, balance }: PlanChange) {
  const lines: [isShown: boolean, label: string, value: string][] = [
    [kind === 'later', 'Begins on', formatDay(beginsOn)],
    [credited > 0, 'Price today', formatDollars(price)],
    [credited > 0, 'Credit for your current plan', `−${formatDollars(credited)}`],
    [true, 'Due today', formatDollars(dueToday)],
    [balance > 0, 'Credit for later payments', formatDollars(balance)],
  ];
  return lines
    .filter(([isShown]) => isShown)
    .map(([, label, value]) => ({ label, value, strong: label === 'Due today' }));
}
