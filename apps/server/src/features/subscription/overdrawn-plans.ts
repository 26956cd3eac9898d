import type { Core } from '../../composition/core.ts';
import { type PlanMails, retentionMail } from './plan-mails.ts';
import { type ReadPlans, storageOf } from './plans.ts';
import { isOver } from './plan-state.ts';
import type { SubscriptionRepository } from './subscription.repository.ts';
import type { PlanMailRow, SubscriptionRow } from './subscription.tables.ts';

const DAY_MS = 86_400_000;
/** From the end of a plan to its second warning, and to the deletion. */
const SECOND_WARNING_MS = 3 * DAY_MS;
const DELETION_MS = 7 * DAY_MS;
/** The minimum time between two steps, if mails were late. */
const MIN_BETWEEN_WARNINGS_MS = 2 * DAY_MS;
const MIN_AFTER_WARNINGS_MS = 3 * DAY_MS;
/** How long the last warning is valid. After that the warnings start again. */
const WARNING_TTL_MS = 14 * DAY_MS;

/** When the mail server accepted the warnings about the end of one plan. */
export interface Warnings {
  first?: Date | undefined;
  second?: Date | undefined;
}

type RetentionStep = 'first warning' | 'second warning' | 'deletion';

const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);
const latest = (a: Date, b: Date): Date => (a > b ? a : b);

export function warningsAmong(
  mails: readonly Pick<PlanMailRow, 'kind' | 'sentAt'>[],
  time: Date,
): Warnings {
  const sent = (kind: PlanMailRow['kind']) =>
    mails.find((mail) => mail.kind === kind)?.sentAt ?? undefined;
  const [first, second] = [sent('retention:1'), sent('retention:2')];
  // A second warning before the first belongs to an earlier round.
  const current = first && second && second > first ? second : undefined;
  const last = current ?? first;
  if (!last || after(last, WARNING_TTL_MS) <= time) return {};
  return { first, second: current };
}

const secondWarningDate = (endsAt: Date, first: Date): Date =>
  latest(after(endsAt, SECOND_WARNING_MS), after(first, MIN_BETWEEN_WARNINGS_MS));

export function deletionDate(endsAt: Date, { first, second }: Warnings, time: Date): Date {
  const firstAt = first ?? latest(time, endsAt);
  const secondAt = second ?? latest(time, secondWarningDate(endsAt, firstAt));
  return latest(after(endsAt, DELETION_MS), after(secondAt, MIN_AFTER_WARNINGS_MS));
}

export function stepAt(endsAt: Date, warnings: Warnings, time: Date): RetentionStep | null {
  if (time < endsAt) return null;
  if (!warnings.first) return 'first warning';
  if (!warnings.second) {
    return time >= secondWarningDate(endsAt, warnings.first) ? 'second warning' : null;
  }
  return time >= deletionDate(endsAt, warnings, time) ? 'deletion' : null;
}

/** An ended plan of a user whose files exceed the free storage. */
interface OverdrawnPlan {
  plan: string;
  endsAt: Date;
  stored: number;
  free: number;
  warnings: Warnings;
}

export function createOverdrawnPlans(
  { config, storage, now }: Core,
  repository: SubscriptionRepository,
  readPlans: ReadPlans,
  mails: PlanMails,
) {
  /** Files are deleted only after warnings, which need a mail server. */
  const isOn = (): boolean => config.limits === 'enforce' && mails.areSent();

  /** The overdrawn plan of a cancelled subscription, if the files exceed the free storage. */
  const readOverdrawn = async (
    { userId, plan, endsAt }: SubscriptionRow,
    time: Date,
  ): Promise<OverdrawnPlan | null> => {
    if (!isOn() || endsAt === null) return null;
    const free = storageOf((await readPlans()).free);
    const stored = await storage.artifactsRepository.storedBytes(userId);
    if (stored <= free) return null;
    const sent = await mails.about(userId, endsAt.toISOString());
    return { plan, endsAt, stored, free, warnings: warningsAmong(sent, time) };
  };

  return {
    isOn,

    /** When files above the free storage will be deleted; null if none will be. */
    async deletionDateOf(row: SubscriptionRow | undefined, time: Date): Promise<Date | null> {
      const plan = row?.status === 'Cancelled' ? await readOverdrawn(row, time) : null;
      return plan && deletionDate(plan.endsAt, plan.warnings, time);
    },

    endedPlans: (limit: number, afterUser?: string): Promise<string[]> =>
      repository.endedPlans(now(), limit, afterUser),

    /** A user's overdrawn plan and the step that is due now; null if the plan is not overdrawn. */
    async find(userId: string): Promise<(OverdrawnPlan & { step: RetentionStep | null }) | null> {
      const time = now();
      const row = await repository.find(userId);
      const plan = row && isOver(row, time) ? await readOverdrawn(row, time) : null;
      return plan && { ...plan, step: stepAt(plan.endsAt, plan.warnings, time) };
    },

    async warn(
      userId: string,
      overdrawn: OverdrawnPlan,
      warning: 'first' | 'second',
      files: readonly { fileName: string; size: number }[],
    ): Promise<void> {
      const { endsAt, warnings } = overdrawn;
      const time = now();
      const sent = warning === 'first' ? { first: time } : { ...warnings, second: time };
      const notice = { ...overdrawn, warning, files, deletedOn: deletionDate(endsAt, sent, time) };
      const kind = warning === 'first' ? 'retention:1' : 'retention:2';
      await mails.send(
        userId,
        [{ kind, about: endsAt.toISOString() }],
        (email) => retentionMail(email, notice, config.publicUrl),
        { mayRepeat: true },
      );
    },
  };
}

export type OverdrawnPlans = ReturnType<typeof createOverdrawnPlans>;
