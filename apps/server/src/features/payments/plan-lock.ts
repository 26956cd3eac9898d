import { randomUUID } from 'node:crypto';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { planLocks, type PlanWork } from './payments.tables.ts';
import { ProviderDown } from './provider.ts';

/** After this many seconds a lock expires. The calls of a provider take less. */
const LOCK_SECONDS = 180;

const FINISHED_AT_ONCE = 50;

/** Stores what is about to be done at the provider. After a kill it is finished later. */
export type SaveWork = (work: PlanWork) => Promise<void>;

/**
 * One purchase, change or end of a user's plan at a time, so that each starts from the result of the one
 * before. Calls on one server wait for each other. A call is refused while another server on the same
 * database holds the lock. No transaction is open while a provider is asked.
 * @param finish Finishes the work of a holder that was interrupted.
 */
export function createPlanLock(
  { db }: Pick<Database, 'db'>,
  finish: (work: PlanWork) => Promise<void>,
) {
  const lastCalls = new Map<string, Promise<unknown>>();
  const expired = lte(planLocks.endsAt, sql`now()`);

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
      throw new HttpError(
        409,
        'plan_busy',
        'Your plan is being changed at this very moment. Please wait a minute, and look at it again.',
      );
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
  const withLock = <T>(userId: string, call: (save: SaveWork) => Promise<T>): Promise<T> => {
    const before = lastCalls.get(userId) ?? Promise.resolve();
    const running = before.then(() => hold(userId, call));
    const end = running
      .catch(() => undefined)
      .finally(() => {
        if (lastCalls.get(userId) === end) lastCalls.delete(userId);
      });
    lastCalls.set(userId, end);
    return running;
  };

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
