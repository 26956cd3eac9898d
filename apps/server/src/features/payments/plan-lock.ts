import { randomUUID } from 'node:crypto';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { HttpError } from '../../platform/http/errors.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import { planLocks, type PlanWork } from './payments.tables.ts';
import { hasEnded, ProviderDown } from './provider.ts';
import type { PaymentsContext, SubscriptionSync } from './subscription-sync.ts';

/** After this many seconds a lock expires. The calls of a provider take less. */
const LOCK_SECONDS = 180;

const FINISHED_AT_ONCE = 50;

/** How long an interrupted change is still made, in milliseconds. */
const WORK_TTL_MS = 24 * 3_600_000;

/** Stores what is about to be done at the provider. After a kill it is finished later. */
export type SaveWork = (work: PlanWork) => Promise<void>;

/**
 * One purchase, change or end of a user's plan at a time, so that each starts from the result of the one
 * before. Calls on one server wait for each other. A call is refused while another server on the same
 * database holds the lock. No transaction is open while a provider is asked.
 */
export function createPlanLock(
  { core, subscription: plans, providers }: PaymentsContext,
  { sync }: SubscriptionSync,
) {
  const { db } = core.storage.database;
  const calls = createFairLimiter({ concurrency: Infinity, concurrencyPerGroup: 1 });
  const expired = lte(planLocks.endsAt, sql`now()`);

  const finish = async ({ provider: name, subscription, nextPriceId, since }: PlanWork) => {
    const asOf = core.now();
    const provider = providers[name];
    const state = await provider?.readSubscription(subscription);
    const plan = nextPriceId === null ? undefined : await plans.planByPrice(nextPriceId);
    const isRecent = asOf.getTime() - Date.parse(since) < WORK_TTL_MS;
    if (state && plan && isRecent && !hasEnded(state, asOf)) {
      await provider?.changePlan(subscription, { plan, begins: 'at the end', asOf, card: null });
    }
    await sync(name, subscription);
  };

  const hold = async <T>(userId: string, call: (save: SaveWork) => Promise<T>): Promise<T> => {
    const holder = randomUUID();
    const endsAt = sql`now() + make_interval(secs => ${LOCK_SECONDS})`;
    const [locked] = await db
      .insert(planLocks)
      .values({ userId, holder, endsAt })
      .onConflictDoUpdate({
        target: planLocks.userId,
        set: { holder, endsAt },
        setWhere: expired,
      })
      .returning({ work: planLocks.work });
    if (!locked) {
      const message =
        'Your plan is being changed at this very moment. Please wait a minute, and look at it again.';
      throw new HttpError(409, 'plan_busy', message);
    }
    const isHeld = and(eq(planLocks.userId, userId), eq(planLocks.holder, holder));
    let unfinished = locked.work;
    try {
      if (unfinished) await finish(unfinished);
      unfinished = null;
      const result = await call(async (work) => {
        unfinished = work.nextPriceId === null ? null : work;
        await db.update(planLocks).set({ work }).where(isHeld);
      });
      unfinished = null;
      return result;
    } catch (error) {
      if (!(error instanceof ProviderDown)) unfinished = null;
      throw error;
    } finally {
      // The next holder finishes what could not be finished.
      await (unfinished
        ? db
            .update(planLocks)
            .set({ endsAt: sql`now()` })
            .where(isHeld)
        : db.delete(planLocks).where(isHeld));
    }
  };

  /** @throws HttpError 409 while another server holds the lock. */
  const withLock = <T>(userId: string, call: (save: SaveWork) => Promise<T>): Promise<T> =>
    calls.run(userId, null, () => hold(userId, call));

  return {
    withLock,

    /** Releases all locks. Only for an embedded database, on which no other server works. */
    async releaseAll(): Promise<void> {
      await db.update(planLocks).set({ endsAt: sql`now()` });
    },

    async finishInterrupted(): Promise<void> {
      const rows = await db
        .select({ userId: planLocks.userId })
        .from(planLocks)
        .where(expired)
        .orderBy(asc(planLocks.endsAt))
        .limit(FINISHED_AT_ONCE);
      for (const { userId } of rows) await withLock(userId, () => Promise.resolve());
    },
  };
}

export type PlanLock = ReturnType<typeof createPlanLock>;
