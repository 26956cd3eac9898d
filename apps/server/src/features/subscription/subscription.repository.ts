import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  isNotNull,
  lte,
  sql,
} from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { isAnyOf } from '../../platform/database/any-of.ts';
import { addressOf } from '../../platform/database/address-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import {
  creditLedger,
  type LedgerRow,
  queryCounts,
  type SubscriptionRow,
  subscriptions,
} from './subscription.tables.ts';
import type { Window, WindowName } from './windows.ts';

/** A change of credits with the address of whose they are, where the account is not on its way out. */
export type NamedLedgerRow = LedgerRow & { email: string | null };

/** Subscriptions of those in whose address something stands, in any case; all without it. */
const heldBy = (q: string | undefined) =>
  q ? sql`strpos(lower(${addressOf(subscriptions.userId)}), lower(${q})) > 0` : undefined;

/** SQL over subscriptions, counted questions and credits. */
export function createSubscriptionRepository({ db }: Pick<Database, 'db'>) {
  return {
    async insert(tx: Executor, row: typeof subscriptions.$inferInsert): Promise<void> {
      await tx.insert(subscriptions).values(row).onConflictDoNothing();
    },

    async delete(tx: Executor, userId: string): Promise<void> {
      await tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
    },

    async find(userId: string, executor: Executor = db): Promise<SubscriptionRow | undefined> {
      const [row] = await executor
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.userId, userId));
      return row;
    },

    findMany: (userIds: readonly string[]): Promise<SubscriptionRow[]> =>
      db.select().from(subscriptions).where(isAnyOf(subscriptions.userId, userIds)),

    /**
     * The provider's ids of subscriptions that were to go on after a moment that has passed: as they
     * were where the provider charges by itself, or with another plan.
     */
    async ranOut(provider: 'sandbox' | 'stripe', before: Date, limit: number): Promise<string[]> {
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

    /** Locked until the transaction ends, so that parallel questions are counted one by one. */
    async lock(tx: Executor, userId: string): Promise<SubscriptionRow | undefined> {
      const [row] = await tx
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.userId, userId))
        .for('update');
      return row;
    },

    /** Replaces what a provider tells; credits stay. */
    async update(
      tx: Executor,
      userId: string,
      changes: Partial<Omit<SubscriptionRow, 'userId' | 'credit'>>,
    ): Promise<void> {
      await tx.update(subscriptions).set(changes).where(eq(subscriptions.userId, userId));
    },

    /** Cancelled plans that have run to their end, in the order of their owners; a page of them. */
    async runOut(at: Date, limit: number, after?: string): Promise<string[]> {
      const rows = await db
        .select({ userId: subscriptions.userId })
        .from(subscriptions)
        .where(
          and(
            eq(subscriptions.status, 'Cancelled'),
            lte(subscriptions.endsAt, at),
            after === undefined ? undefined : gt(subscriptions.userId, after),
          ),
        )
        .orderBy(asc(subscriptions.userId))
        .limit(limit);
      return rows.map(({ userId }) => userId);
    },

    /** Changes the credits of a locked row, and says so on the ledger. */
    async changeCredit(
      tx: Executor,
      { userId, credit }: Pick<SubscriptionRow, 'userId' | 'credit'>,
      { change, reason, at }: { change: number; reason: LedgerRow['reason']; at: Date },
    ): Promise<number> {
      const balance = credit + change;
      await tx
        .update(subscriptions)
        .set({ credit: balance })
        .where(eq(subscriptions.userId, userId));
      await tx
        .insert(creditLedger)
        .values({ id: randomUUID(), userId, change, balance, reason, createdAt: at });
      return balance;
    },

    /** The credits of those whose address holds a text, or of everybody, in the order of the ids; a page of them. */
    credits: (
      q: string | undefined,
      limit: number,
      after?: string,
    ): Promise<Pick<SubscriptionRow, 'userId' | 'credit'>[]> =>
      db
        .select({ userId: subscriptions.userId, credit: subscriptions.credit })
        .from(subscriptions)
        .where(and(heldBy(q), after === undefined ? undefined : gt(subscriptions.userId, after)))
        .orderBy(asc(subscriptions.userId))
        .limit(limit),

    count: (q: string | undefined): Promise<number> => db.$count(subscriptions, heldBy(q)),

    /** A page of the ledger, newest first: one person's, or everybody's. */
    ledger: (
      userId: string | undefined,
      limit: number,
      after?: DatedRow,
    ): Promise<NamedLedgerRow[]> =>
      db
        .select({ ...getTableColumns(creditLedger), email: addressOf(creditLedger.userId) })
        .from(creditLedger)
        .where(
          and(
            userId === undefined ? undefined : eq(creditLedger.userId, userId),
            olderThan(creditLedger, after),
          ),
        )
        .orderBy(desc(creditLedger.createdAt), desc(creditLedger.id))
        .limit(limit),

    async countLedger(userId: string | undefined): Promise<number> {
      const [row] = await db
        .select({ n: count() })
        .from(creditLedger)
        .where(userId === undefined ? undefined : eq(creditLedger.userId, userId));
      return row?.n ?? 0;
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

export type SubscriptionRepository = ReturnType<typeof createSubscriptionRepository>;
