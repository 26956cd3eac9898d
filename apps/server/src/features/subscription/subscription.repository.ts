import { and, eq, gte, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { queryCounts, type SubscriptionRow, subscriptions } from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

/** SQL over subscriptions and counted questions. */
export function createSubscriptionRepository({ db }: Pick<Database, 'db'>) {
  return {
    async insert(tx: Executor, row: SubscriptionRow): Promise<void> {
      await tx.insert(subscriptions).values(row).onConflictDoNothing();
    },

    async delete(tx: Executor, userId: string): Promise<void> {
      await tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
    },

    async find(userId: string): Promise<SubscriptionRow | undefined> {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
      return row;
    },

    /** Locked until the transaction ends, so that parallel questions are counted one by one. */
    async lock(tx: Executor, userId: string): Promise<SubscriptionRow | undefined> {
      const [row] = await tx
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.userId, userId))
        .for('update');
      return row;
    },

    async takeCredit(tx: Executor, userId: string): Promise<void> {
      await tx
        .update(subscriptions)
        .set({ credit: sql`${subscriptions.credit} - 1` })
        .where(eq(subscriptions.userId, userId));
    },

    /** Questions asked in each of the windows so far. */
    async queriesUsed(
      userId: string,
      windows: Record<WindowName, Window>,
      executor: Executor = db,
    ): Promise<Record<WindowName, number>> {
      // A week may have begun in the month before.
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
