import { and, asc, desc, eq, gt, inArray, lte, ne } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type CheckoutRow,
  checkouts,
  type InvoiceRow,
  invoices,
  paymentEvents,
} from './payments.tables.ts';
import type { CheckoutStatus, ProviderName } from './provider.ts';

/** Checkouts that may still be paid. */
const unsettled = inArray(checkouts.status, ['open', 'unpaid']);

/** SQL over checkouts, events and invoices. */
export function createPaymentsRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** Lets one transaction at a time say what a person has bought. */
    async lock(tx: Executor, userId: string): Promise<void> {
      await holdName(tx, `payments:${userId}`);
    },

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

    /** A person's checkouts that may still be paid, newest first. */
    unsettledOf: (
      userId: string,
      provider: ProviderName,
      executor: Executor = db,
    ): Promise<CheckoutRow[]> =>
      executor
        .select()
        .from(checkouts)
        .where(and(eq(checkouts.userId, userId), eq(checkouts.provider, provider), unsettled))
        .orderBy(desc(checkouts.createdAt))
        .limit(20),

    /** The ids of a person's latest checkouts, in whatever state. */
    async checkoutsAt(tx: Executor, userId: string, provider: ProviderName): Promise<string[]> {
      const rows = await tx
        .select({ id: checkouts.id })
        .from(checkouts)
        .where(and(eq(checkouts.userId, userId), eq(checkouts.provider, provider)))
        .orderBy(desc(checkouts.createdAt))
        .limit(20);
      return rows.map(({ id }) => id);
    },

    /** Open checkouts from before a moment, in the order of their ids, those after `after`. */
    openBefore: (before: Date, after: string, limit: number): Promise<CheckoutRow[]> =>
      db
        .select()
        .from(checkouts)
        .where(and(unsettled, lte(checkouts.createdAt, before), gt(checkouts.id, after)))
        .orderBy(asc(checkouts.id))
        .limit(limit),

    /** Keeps how a checkout ended; one that is paid stays so. */
    async setStatus(id: string, status: CheckoutStatus, executor: Executor = db): Promise<void> {
      await executor
        .update(checkouts)
        .set({ status })
        .where(and(eq(checkouts.id, id), ne(checkouts.status, 'paid')));
    },

    async hasEvent(id: string): Promise<boolean> {
      return (await db.$count(paymentEvents, eq(paymentEvents.id, id))) > 0;
    },

    async addEvent(tx: Executor, id: string, receivedAt: Date): Promise<void> {
      await tx.insert(paymentEvents).values({ id, receivedAt }).onConflictDoNothing();
    },

    async deleteEventsBefore(before: Date): Promise<void> {
      await db.delete(paymentEvents).where(lte(paymentEvents.receivedAt, before));
    },

    async knownInvoices(userId: string, provider: ProviderName): Promise<Set<string>> {
      const rows = await db
        .select({ id: invoices.providerInvoice })
        .from(invoices)
        .where(and(eq(invoices.userId, userId), eq(invoices.provider, provider)));
      return new Set(rows.map(({ id }) => id));
    },

    /** Answers the rows that were new. */
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
