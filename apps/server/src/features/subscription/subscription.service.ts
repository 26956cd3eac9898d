import type { Metrics } from '@engram/contract';
import type { Database, Executor } from '../../platform/database/database.ts';
import { FREE_PLAN, type Plan, planOf } from './plans.ts';
import * as errors from './subscription.errors.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';
import type { SubscriptionRow } from './subscription.tables.ts';
import { dayOf, type Window, type WindowName, windowsAt } from './windows.ts';

const GIGABYTE = 1_000_000_000;

export interface SubscriptionDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  /** Whether limits are enforced, or only shown. */
  limits: 'enforce' | 'off';
  now: () => Date;
  /** Bytes that a person's files take. */
  storedBytes: (userId: string) => Promise<number>;
}

/** What a subscription amounts to at a moment. */
export interface Standing {
  plan: Plan;
  status: SubscriptionRow['status'];
  credit: number;
}

/**
 * A paid plan whose period ended unpaid has expired; a cancelled one runs to its end and then
 * becomes the free plan.
 */
export function standingAt(row: SubscriptionRow | undefined, at: Date): Standing {
  if (!row) return { plan: FREE_PLAN, status: 'Active', credit: 0 };
  const { status, credit, endsAt } = row;
  const ended = endsAt !== null && endsAt <= at;
  if (ended && status === 'Cancelled') return { plan: FREE_PLAN, status: 'Active', credit };
  return { plan: planOf(row.plan), status: ended ? 'Expired' : status, credit };
}

/** The used-up limit that is the last to open again; undefined while a question may be asked. */
export function usedUp(
  { queries }: Plan,
  used: Record<WindowName, number>,
  windows: Record<WindowName, Window>,
): { name: WindowName; limit: number; opens: Date } | undefined {
  return (['day', 'week', 'month'] as const)
    .filter((name) => queries[name] > 0 && used[name] >= queries[name])
    .map((name) => ({ name, limit: queries[name], opens: windows[name].opens }))
    .toSorted((a, b) => b.opens.getTime() - a.opens.getTime())[0];
}

/** What a person's plan allows, and how much of it is used. */
export function createSubscriptionService(deps: SubscriptionDependencies) {
  const { database, now, storedBytes } = deps;
  const repository = createSubscriptionRepository(database);
  const enforced = deps.limits === 'enforce';

  /** Whether the next question costs a credit; throws a 402 when it may not be asked at all. */
  async function admit(
    userId: string,
    row: SubscriptionRow | undefined,
    at: Date,
    executor: Executor,
  ): Promise<'plan' | 'credit'> {
    const { plan, status, credit } = standingAt(row, at);
    if (status === 'Expired') throw errors.subscriptionExpired();
    if (!enforced) return 'plan';
    const windows = windowsAt(at);
    const limit = usedUp(plan, await repository.queriesUsed(userId, windows, executor), windows);
    if (!limit) return 'plan';
    if (credit > 0) return 'credit';
    throw errors.queriesUsedUp(limit.limit, limit.name, limit.opens);
  }

  return {
    /** Puts a new account on the free plan. */
    start: (tx: Executor, userId: string): Promise<void> =>
      repository.insert(tx, {
        userId,
        plan: FREE_PLAN.name,
        status: 'Active',
        credit: 0,
        endsAt: null,
      }),

    /** Ends a person's plan with their account; before that, as counting a question locks it first too. */
    end: repository.delete,

    /** The plan's limits, and how much of them is used; a limit that does not apply is 0. */
    async metrics(userId: string): Promise<Metrics> {
      const at = now();
      const { plan, status, credit } = standingAt(await repository.find(userId), at);
      const used = await repository.queriesUsed(userId, windowsAt(at));
      const stored = (await storedBytes(userId)) / GIGABYTE;
      // The free plan's storage is told as a weekly limit, that of the others as a yearly one.
      const free = plan.billing === null;
      return {
        plan: plan.name,
        credit,
        status,
        enforced,
        daily_query_limit: plan.queries.day,
        daily_queries_used: used.day,
        weekly_query_limit: plan.queries.week,
        weekly_queries_used: used.week,
        monthly_query_limit: plan.queries.month,
        monthly_queries_used: used.month,
        weekly_file_size: stored,
        weekly_file_size_limit: free ? plan.storage : 0,
        yearly_file_size: stored,
        yearly_file_size_limit: free ? 0 : plan.storage,
      };
    },

    /**
     * Counts a question, with a credit where the plan's limits are used up. Parallel questions are
     * counted one by one, so the limit holds for them too: call it before answering.
     * @throws HttpError 402 when the plan has expired, or its limits are used up; nothing is counted
     * then.
     */
    async countQuery(userId: string): Promise<void> {
      const at = now();
      if (!enforced) {
        // Without limits nothing depends on what others count meanwhile.
        await admit(userId, await repository.find(userId), at, database.db);
        await repository.countQuery(database.db, userId, dayOf(at));
        return;
      }
      await database.transaction(async (tx) => {
        const row = await repository.lock(tx, userId);
        const paidBy = await admit(userId, row, at, tx);
        if (paidBy === 'credit') await repository.takeCredit(tx, userId);
        await repository.countQuery(tx, userId, dayOf(at));
      });
    },

    /**
     * Says whether a question may be asked now, without counting one.
     * @throws HttpError 402 when the plan has expired, or its limits are used up.
     */
    async assertMayAsk(userId: string): Promise<void> {
      await admit(userId, await repository.find(userId), now(), database.db);
    },

    /**
     * Says whether so many more bytes may be stored.
     * @throws HttpError 402 when the plan has expired, or its storage is used up.
     */
    async assertMayUpload(userId: string, bytes: number): Promise<void> {
      const { plan, status } = standingAt(await repository.find(userId), now());
      if (status === 'Expired') throw errors.subscriptionExpired();
      if (!enforced) return;
      const exceeds = (await storedBytes(userId)) + bytes > plan.storage * GIGABYTE;
      if (exceeds) throw errors.storageUsedUp(plan.storage);
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
