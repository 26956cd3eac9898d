import type { Core } from '../../composition/core.ts';
import type { createPlanCatalog } from './plan-catalog.ts';
import { retentionMail } from './plan-mail-texts.ts';
import type { PlanMails } from './plan-mails.ts';
import { storageOf } from './plans.ts';
import {
  deletionDate,
  type RetentionStep,
  stepAt,
  type Warnings,
  warningsAmong,
} from './retention-schedule.ts';
import { hasRunOut } from './standing.ts';
import type { SubscriptionRepository } from './subscription.repository.ts';
import type { SubscriptionRow } from './subscription.tables.ts';

/** A user whose files take more than the free storage since a plan ended. */
export interface OverdrawnPlan {
  plan: string;
  endsAt: Date;
  /** Bytes. */
  stored: number;
  /** Bytes that the free plan stores. */
  free: number;
  warnings: Warnings;
  /** What is due now. */
  step: RetentionStep | null;
}

/** Files above the free storage after a cancelled plan: what is due, and the warnings about it. */
export function createOverdrawnPlans(
  { config, storage, now }: Core,
  repository: SubscriptionRepository,
  readPlans: ReturnType<typeof createPlanCatalog>,
  mails: PlanMails,
) {
  /** Files are deleted only after warnings, and a mail in the log warns nobody. */
  const isOn = (): boolean => config.limits === 'enforce' && mails.areSent();

  /** A cancelled plan that has ended or will end, if the files take more than the free storage. */
  const examine = async (
    { userId, plan, endsAt }: SubscriptionRow,
    at: Date,
  ): Promise<Omit<OverdrawnPlan, 'step'> | null> => {
    if (!isOn() || endsAt === null) return null;
    const free = storageOf((await readPlans()).free);
    const stored = await storage.artifactsRepository.storedBytes(userId);
    if (stored <= free) return null;
    const sent = await mails.about(userId, endsAt.toISOString());
    return { plan, endsAt, stored, free, warnings: warningsAmong(sent, at) };
  };

  return {
    isOn,

    /** When files above the free storage will be deleted, or null if none will be. */
    async deletionDateOf(row: SubscriptionRow | undefined, at: Date): Promise<Date | null> {
      const found = row?.status === 'Cancelled' ? await examine(row, at) : null;
      return found && deletionDate(found.endsAt, found.warnings, at);
    },

    /** Users whose cancelled plan has ended, in the order of their ids, one page. */
    endedPlans: (limit: number, after?: string): Promise<string[]> =>
      repository.endedPlans(now(), limit, after),

    async find(userId: string): Promise<OverdrawnPlan | null> {
      const at = now();
      const row = await repository.find(userId);
      const found = row && hasRunOut(row, at) ? await examine(row, at) : null;
      return found && { ...found, step: stepAt(found.endsAt, found.warnings, at) };
    },

    /** Warns a user of the deletion of `files`. */
    async warn(
      userId: string,
      { plan, endsAt, stored, free, warnings }: OverdrawnPlan,
      warning: 'first' | 'second',
      files: readonly { fileName: string; size: number }[],
    ): Promise<void> {
      const at = now();
      const sent = warning === 'first' ? { first: at } : { ...warnings, second: at };
      const deletedOn = deletionDate(endsAt, sent, at);
      const notice = { warning, plan, endedAt: endsAt, stored, free, files, deletedOn };
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
