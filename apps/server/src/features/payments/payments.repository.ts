import { and, asc, desc, eq, inArray, lte, ne, sql } from 'drizzle-orm';
import { lockName } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type CheckoutRow,
  type CheckoutStatus,
  checkouts,
  type InvoiceRow,
  invoices,
  type ProviderName,
} from './payments.tables.ts';

const unsettled = inArray(checkouts.status, ['open', 'processing', 'unpaid']);

export const payable = inArray(checkouts.status, ['open', 'unpaid']);

const belongsTo = (userId: string, provider: ProviderName) =>
  and(eq(checkouts.userId, userId), eq(checkouts.provider, provider));

export const lockPayments = (tx: Executor, userId: string): Promise<void> =>
  lockName(tx, `payments:${userId}`);

export function createPaymentsRepository({ db }: Pick<Database, 'db'>) {
  return {
    async insertCheckout(row: CheckoutRow): Promise<void> {
      await db.insert(checkouts).values(row);
    },

    async findCheckout(id: string): Promise<CheckoutRow | undefined> {
      const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
      return row;
    },

    async findBySecret(userId: string, secretHash: string): Promise<CheckoutRow | undefined> {
      const [row] = await db
        .select()
        .from(checkouts)
        .where(and(eq(checkouts.secretHash, secretHash), eq(checkouts.userId, userId)));
      return row;
    },

    unsettledOf: (userId: string, provider: ProviderName): Promise<CheckoutRow[]> =>
      db
        .select()
        .from(checkouts)
        .where(and(belongsTo(userId, provider), unsettled))
        .orderBy(desc(checkouts.createdAt))
        .limit(20),

    async latestOf(tx: Executor, userId: string, provider: ProviderName): Promise<string[]> {
      const rows = await tx
        .select({ id: checkouts.id })
        .from(checkouts)
        .where(belongsTo(userId, provider))
        .orderBy(desc(checkouts.createdAt))
        .limit(20);
      return rows.map(({ id }) => id);
    },

    async expirePayable(tx: Executor, userId: string, provider: ProviderName): Promise<string[]> {
      const rows = await tx
        .update(checkouts)
        .set({ status: 'expired' })
        .where(and(belongsTo(userId, provider), payable))
        .returning({ id: checkouts.id });
      return rows.map(({ id }) => id);
    },

    duePolls: (time: Date, limit: number): Promise<CheckoutRow[]> =>
      db
        .select()
        .from(checkouts)
        .where(and(unsettled, lte(checkouts.nextPollAt, time)))
        .orderBy(asc(checkouts.nextPollAt), asc(checkouts.id))
        .limit(limit),

    async setNextPoll(id: string, nextPollAt: Date): Promise<void> {
      await db.update(checkouts).set({ nextPollAt }).where(eq(checkouts.id, id));
    },

    /** Deletes old ended checkouts, except each user's latest, which identifies their customer at Stripe. */
    async deleteEndedBefore(before: Date): Promise<void> {
      await db.execute(sql`
        DELETE FROM checkouts WHERE status IN ('paid', 'expired') AND created_at < ${before}
          AND EXISTS (
            SELECT FROM checkouts AS later
            WHERE later.user_id = checkouts.user_id AND later.provider = checkouts.provider
              AND (later.created_at, later.id) > (checkouts.created_at, checkouts.id))`);
    },

    /** A paid checkout stays paid. */
    async setStatus(id: string, status: CheckoutStatus, executor: Executor = db): Promise<void> {
      await executor
        .update(checkouts)
        .set({ status })
        .where(and(eq(checkouts.id, id), ne(checkouts.status, 'paid')));
    },

    async knownInvoices(userId: string, provider: ProviderName): Promise<Set<string>> {
      const rows = await db
        .select({ id: invoices.providerInvoice })
        .from(invoices)
        .where(and(eq(invoices.userId, userId), eq(invoices.provider, provider)));
      return new Set(rows.map(({ id }) => id));
    },

    insertInvoices: (tx: Executor, rows: readonly InvoiceRow[]): Promise<InvoiceRow[]> =>
      rows.length === 0
        ? Promise.resolve([])
        : tx
            .insert(invoices)
            .values([...rows])
            .onConflictDoNothing()
            .returning(),

    listInvoices: (userId: string): Promise<InvoiceRow[]> =>
      db
        .select()
        .from(invoices)
        .where(eq(invoices.userId, userId))
        .orderBy(desc(invoices.paidAt), desc(invoices.id)),

    async findInvoice(id: string): Promise<InvoiceRow | undefined> {
      const [row] = await db.select().from(invoices).where(eq(invoices.id, id));
      return row;
    },
  };
}

export type PaymentsRepository = ReturnType<typeof createPaymentsRepository>;
