import { and, asc, desc, eq, gt, gte, isNotNull, lte, sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  creditLedger,
  type LedgerRow,
  queryCounts,
  type SubscriptionRow,
  subscriptions,
} from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

export function createSubscriptionRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** @param isLocked Locks the row, so that parallel questions are counted correctly. */
    async find(
      userId: string,
      executor: Executor = db,
      isLocked = false,
    ): Promise<SubscriptionRow | undefined> {
      const rows = executor.select().from(subscriptions).where(eq(subscriptions.userId, userId));
      const [row] = await (isLocked ? rows.for('update') : rows);
      return row;
    },

    findMany: (userIds: readonly string[]): Promise<SubscriptionRow[]> =>
      db.select().from(subscriptions).where(isAnyOf(subscriptions.userId, userIds)),

    /**
     * The provider's ids of subscriptions that should have renewed by now. The sandbox renews none, but
     * begins next plans.
     */
    async outdated(provider: 'sandbox' | 'stripe', before: Date, limit: number): Promise<string[]> {
      const rows = await db
        .select({ id: subscriptions.providerSubscription })
        .from(subscriptions)
        .where(
          and(
            eq(subscriptions.provider, provider),
            eq(subscriptions.status, 'Active'),
            lte(subscriptions.endsAt, before),
            provider === 'sandbox' ? isNotNull(subscriptions.nextPlan) : undefined,
          ),
        )
        .orderBy(desc(subscriptions.endsAt))
        .limit(limit);
      return rows.flatMap(({ id }) => id ?? []);
    },

    async endedPlans(time: Date, limit: number, after?: string): Promise<string[]> {
      const rows = await db
        .select({ userId: subscriptions.userId })
        .from(subscriptions)
        .where(
          and(
            eq(subscriptions.status, 'Cancelled'),
            lte(subscriptions.endsAt, time),
            after === undefined ? undefined : gt(subscriptions.userId, after),
          ),
        )
        .orderBy(asc(subscriptions.userId))
        .limit(limit);
      return rows.map(({ userId }) => userId);
    },

    async changeCredit(
      tx: Executor,
      { userId, credit }: Pick<SubscriptionRow, 'userId' | 'credit'>,
      { change, reason, at: time }: { change: number; reason: LedgerRow['reason']; at: Date },
    ): Promise<number> {
      const balance = credit + change;
      await tx
        .update(subscriptions)
        .set({ credit: balance })
        .where(eq(subscriptions.userId, userId));
      await tx
        .insert(creditLedger)
        .values({ id: randomUUID(), userId, change, balance, reason, createdAt: time });
      return balance;
    },

    async queriesUsed(
      userId: string,
      windows: Record<WindowName, Window>,
      executor: Executor = db,
    ): Promise<Record<WindowName, number>> {
      // The week may begin in the previous month.
      const from = windows.week.from < windows.month.from ? windows.week.from : windows.month.from;
      const since = (day: string) =>
        sql<number>`coalesce(sum(${queryCounts.queries}) FILTER (WHERE ${queryCounts.day} >= ${day}), 0)::integer`;
      const [row] = await executor
        .select({
          day: since(windows.day.from),
          week: since(windows.week.from),
          month: since(windows.month.from),
        })
        .from(queryCounts)
        .where(and(eq(queryCounts.userId, userId), gte(queryCounts.day, from)));
      return row ?? { day: 0, week: 0, month: 0 };
    },

    async countQuery(tx: Executor, userId: string, day: string): Promise<void> {
      await tx
        .insert(queryCounts)
        .values({ userId, day, queries: 1 })
        .onConflictDoUpdate({
          target: [queryCounts.userId, queryCounts.day],
          set: { queries: sql`${queryCounts.queries} + 1` },
        });
    },
  };
}

export type SubscriptionRepository = ReturnType<typeof createSubscriptionRepository>;
