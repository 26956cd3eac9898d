import { createHash, randomBytes } from 'node:crypto';
import type { BillingPeriod } from '@engram/contract';
import { and, eq, ne } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { holdPayments, payable } from './payments.repository.ts';
import {
  checkouts,
  type SandboxSubscriptionRow,
  sandboxInvoices,
  sandboxSubscriptions,
} from './payments.tables.ts';
import type { CheckoutState, PaymentProvider, SoldPlan, SubscriptionState } from './provider.ts';

export interface SandboxDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  now: () => Date;
  /** In a transaction it must be handed that. */
  planByPrice: (priceId: string, tx?: Executor) => Promise<SoldPlan | undefined>;
}

/** A checkout that is paid in the sandbox. */
export interface SandboxPayment {
  checkoutId: string;
  userId: string;
  plan: SoldPlan;
  billingAddress: string | null;
}

/** How long a checkout can be paid, in milliseconds: a day, as at Stripe. */
const CHECKOUT_TTL_MS = 24 * 3_600_000;

const MONTHS: Record<Exclude<BillingPeriod, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

const randomId = (kind: string): string =>
  `${kind}_sandbox_${randomBytes(18).toString('base64url')}`;

export const hashSecret = (clientSecret: string): string =>
  createHash('sha256').update(clientSecret).digest('base64url');

/** The end of a period; a month that has no such day ends with its last one. */
export function periodEnd(start: Date, period: BillingPeriod): Date {
  const end = new Date(start);
  if (period === 'weekly') {
    end.setUTCDate(end.getUTCDate() + 7);
    return end;
  }
  const month = start.getUTCMonth() + MONTHS[period];
  end.setUTCMonth(month);
  if (end.getUTCMonth() !== month % 12) end.setUTCDate(0);
  return end;
}

const shareLeft = ({ periodStart, periodEnd }: SandboxSubscriptionRow, at: Date): number => {
  const whole = periodEnd.getTime() - periodStart.getTime();
  return Math.min(1, Math.max(0, (periodEnd.getTime() - at.getTime()) / whole));
};

/** What a change of the plan costs, and the period from then on. */
function changeOf(
  row: SandboxSubscriptionRow,
  from: SoldPlan | undefined,
  to: SoldPlan,
  at: Date,
): Pick<SandboxSubscriptionRow, 'periodStart' | 'periodEnd' | 'balance'> & { due: number } {
  const share = shareLeft(row, at);
  const credit = row.balance + Math.round((from?.cents ?? 0) * share);
  const keepsPeriod = from?.period === to.period;
  const price = keepsPeriod ? Math.round(to.cents * share) : to.cents;
  return {
    periodStart: keepsPeriod ? row.periodStart : at,
    periodEnd: keepsPeriod ? row.periodEnd : periodEnd(at, to.period),
    due: Math.max(0, price - credit),
    balance: Math.max(0, credit - price),
  };
}

const stateOf = (row: SandboxSubscriptionRow): SubscriptionState => ({
  id: row.id,
  userId: row.userId,
  // There is nobody but Engram's own people in the sandbox.
  customer: row.userId,
  priceId: row.priceId,
  status: row.status === 'active' ? 'active' : 'cancelled',
  startedAt: row.startedAt,
  endsAt: row.periodEnd,
  billingAddress: row.billingAddress,
});

/** A payment provider in which no money moves. It does not charge by itself: periods run out. */
export function createSandboxProvider({ database, now, planByPrice }: SandboxDependencies) {
  const { db } = database;

  const find = async (id: string, executor: Executor = db) => {
    const [row] = await executor
      .select()
      .from(sandboxSubscriptions)
      .where(eq(sandboxSubscriptions.id, id))
      .for('update');
    return row;
  };

  const addInvoice = async (
    tx: Executor,
    subscriptionId: string,
    invoice: { priceId: string; amount: number; paidAt: Date },
  ): Promise<void> => {
    const number = `SANDBOX-${randomBytes(5).toString('hex').toUpperCase()}`;
    await tx
      .insert(sandboxInvoices)
      .values({ id: randomId('in'), subscriptionId, number, ...invoice });
  };

  const readCheckout = async (id: string): Promise<CheckoutState | null> => {
    const [bought] = await db
      .select({ id: sandboxSubscriptions.id })
      .from(sandboxSubscriptions)
      .where(eq(sandboxSubscriptions.checkoutId, id));
    if (bought) return { status: 'paid', subscription: bought.id };
    const [row] = await db
      .select({ status: checkouts.status })
      .from(checkouts)
      .where(eq(checkouts.id, id));
    return row
      ? { status: row.status === 'expired' ? 'expired' : 'open', subscription: null }
      : null;
  };

  const provider: PaymentProvider = {
    name: 'sandbox',

    describe: () => ({
      on: false,
      detail:
        'No Stripe keys are set (STRIPE_SECRET_KEY): plans are paid in a sandbox, in which no money moves.',
    }),

    async openCheckout() {
      const id = randomId('cs');
      const clientSecret = `${id}_secret_${randomBytes(24).toString('base64url')}`;
      const expiresAt = new Date(now().getTime() + CHECKOUT_TTL_MS);
      return { id, clientSecret, secretHash: hashSecret(clientSecret), expiresAt };
    },

    readCheckout,

    // The rows of checkouts are all that the sandbox knows of them; paying looks at them too.
    async closeCheckout(id) {
      await db
        .update(checkouts)
        .set({ status: 'expired' })
        .where(and(eq(checkouts.id, id), payable));
      return readCheckout(id);
    },

    async readSubscription(id) {
      const row = await find(id);
      return row ? stateOf(row) : null;
    },

    async newInvoices(subscription, known) {
      const row = await find(subscription);
      const rows = await db
        .select()
        .from(sandboxInvoices)
        .where(eq(sandboxInvoices.subscriptionId, subscription));
      return rows
        .filter(({ id }) => !known.has(id))
        .map(({ id, number, priceId, amount, paidAt }) => ({
          id,
          number,
          priceId,
          amount,
          paidAt,
          billingAddress: row?.billingAddress ?? null,
          invoiceUrl: null,
          receiptUrl: null,
        }));
    },

    invoiceLinks: async () => new Map(),

    async changePlan(subscription, plan) {
      await database.transaction(async (tx) => {
        const row = await find(subscription, tx);
        if (!row) return;
        const at = now();
        const { due, ...period } = changeOf(row, await planByPrice(row.priceId, tx), plan, at);
        await tx
          .update(sandboxSubscriptions)
          .set({ ...period, priceId: plan.priceId })
          .where(eq(sandboxSubscriptions.id, subscription));
        await addInvoice(tx, subscription, { priceId: plan.priceId, amount: due, paidAt: at });
      });
    },

    async cancel(subscription) {
      await db
        .update(sandboxSubscriptions)
        .set({ status: 'cancelled' })
        .where(
          and(eq(sandboxSubscriptions.id, subscription), eq(sandboxSubscriptions.status, 'active')),
        );
    },

    async clear({ subscription }) {
      if (!subscription) return;
      await database.transaction(async (tx) => {
        const row = await find(subscription, tx);
        if (!row || row.status === 'ended') return;
        const end = row.periodEnd < now() ? row.periodEnd : now();
        await tx
          .update(sandboxSubscriptions)
          .set({ status: 'ended', periodEnd: end })
          .where(eq(sandboxSubscriptions.id, subscription));
      });
    },
  };

  return {
    ...provider,

    /**
     * Pays a checkout, after which the person's others cannot be paid any more. Answers false where
     * it was paid before, or has expired.
     */
    pay({ checkoutId, userId, plan, billingAddress }: SandboxPayment): Promise<boolean> {
      return database.transaction(async (tx) => {
        const at = now();
        await holdPayments(tx, userId);
        const open = await tx
          .select({ id: checkouts.id })
          .from(checkouts)
          .where(and(eq(checkouts.id, checkoutId), payable));
        if (open.length === 0) return false;
        const id = randomId('sub');
        const bought = await tx
          .insert(sandboxSubscriptions)
          .values({
            id,
            userId,
            checkoutId,
            priceId: plan.priceId,
            status: 'active',
            startedAt: at,
            periodStart: at,
            periodEnd: periodEnd(at, plan.period),
            balance: 0,
            billingAddress,
          })
          .onConflictDoNothing()
          .returning({ id: sandboxSubscriptions.id });
        if (bought.length === 0) return false;
        await addInvoice(tx, id, { priceId: plan.priceId, amount: plan.cents, paidAt: at });
        await tx
          .update(checkouts)
          .set({ status: 'expired' })
          .where(
            and(
              eq(checkouts.userId, userId),
              eq(checkouts.provider, 'sandbox'),
              ne(checkouts.id, checkoutId),
              payable,
            ),
          );
        return true;
      });
    },
  };
}

export type SandboxProvider = ReturnType<typeof createSandboxProvider>;
