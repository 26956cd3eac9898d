import { and, asc, desc, eq, exists, gt, inArray, lt, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import {
  type CheckoutRow,
  checkouts,
  type InvoiceRow,
  invoices,
  paymentEvents,
  planLocks,
  type PlanWork,
} from './payments.tables.ts';
import type { CheckoutStatus, ProviderName } from './provider.ts';

/** Checkouts of which something may still come. */
const unsettled = inArray(checkouts.status, ['open', 'processing', 'unpaid']);

/** Checkouts that a buyer may still pay. */
export const payable = inArray(checkouts.status, ['open', 'unpaid']);

/** Checkouts of which nothing more comes. */
const ended = inArray(checkouts.status, ['paid', 'expired']);

/** Lets one transaction at a time say what a person has bought. */
export const holdPayments = (tx: Executor, userId: string): Promise<void> =>
  holdName(tx, `payments:${userId}`);

/** SQL over checkouts, events and invoices. */
export function createPaymentsRepository({ db }: Pick<Database, 'db'>) {
  return {
    lock: holdPayments,

    /**
     * Locks a user's plan for some seconds. Returns null while another call holds the lock, or else the
     * unfinished work of a holder that was cut off.
     */
    async lockPlan(
      userId: string,
      holder: string,
      seconds: number,
    ): Promise<{ work: PlanWork | null } | null> {
      const endsAt = sql`now() + make_interval(secs => ${seconds})`;
      const [taken] = await db
        .insert(planLocks)
        .values({ userId, holder, endsAt })
        .onConflictDoUpdate({
          target: planLocks.userId,
          set: { holder, endsAt },
          setWhere: lte(planLocks.endsAt, sql`now()`),
        })
        .returning({ work: planLocks.work });
      return taken ?? null;
    },

    /** Stores what the holder is about to do at the provider. */
    async saveWork(userId: string, holder: string, work: PlanWork): Promise<void> {
      await db
        .update(planLocks)
        .set({ work })
        .where(and(eq(planLocks.userId, userId), eq(planLocks.holder, holder)));
    },

    /** Releases the locks of one holder or of all, and keeps their unfinished work. */
    async releaseLocks(holder?: string): Promise<void> {
      await db
        .update(planLocks)
        .set({ endsAt: sql`now()` })
        .where(holder === undefined ? undefined : eq(planLocks.holder, holder));
    },

    /** Users whose lock expired or was released with unfinished work. */
    async abandonedLocks(limit: number): Promise<string[]> {
      const rows = await db
        .select({ userId: planLocks.userId })
        .from(planLocks)
        .where(lte(planLocks.endsAt, sql`now()`))
        .orderBy(asc(planLocks.endsAt))
        .limit(limit);
      return rows.map(({ userId }) => userId);
    },

    async unlock(userId: string, holder: string): Promise<void> {
      await db
        .delete(planLocks)
        .where(and(eq(planLocks.userId, userId), eq(planLocks.holder, holder)));
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

    /** A person's checkouts of which something may still come, newest first. */
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

    /** Checkouts whose provider is to be asked about them, those that wait longest first. */
    toLookAt: (at: Date, limit: number): Promise<CheckoutRow[]> =>
      db
        .select()
        .from(checkouts)
        .where(and(unsettled, lte(checkouts.nextLookAt, at)))
        .orderBy(asc(checkouts.nextLookAt), asc(checkouts.id))
        .limit(limit),

    async lookAgainAt(id: string, nextLookAt: Date): Promise<void> {
      await db.update(checkouts).set({ nextLookAt }).where(eq(checkouts.id, id));
    },

    /**
     * Deletes checkouts that have ended and were begun before a moment. A person's latest one stays:
     * who never bought anything is known to the provider by it.
     */
    async deleteEndedBefore(before: Date): Promise<void> {
      const later = alias(checkouts, 'later');
      const isLater = or(
        gt(later.createdAt, checkouts.createdAt),
        and(eq(later.createdAt, checkouts.createdAt), gt(later.id, checkouts.id)),
      );
      const laterOne = db
        .select({ id: later.id })
        .from(later)
        .where(
          and(eq(later.userId, checkouts.userId), eq(later.provider, checkouts.provider), isLater),
        );
      await db
        .delete(checkouts)
        .where(and(ended, lt(checkouts.createdAt, before), exists(laterOne)));
    },

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
