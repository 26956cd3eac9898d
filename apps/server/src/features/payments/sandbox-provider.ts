import { createHash, randomBytes } from 'node:crypto';
import type { BillingPeriod } from '@engram/contract';
import { and, eq, ne } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { lockPayments, payable } from './payments.repository.ts';
import {
  checkouts,
  type SandboxSubscriptionRow,
  sandboxBalances,
  sandboxInvoices,
  sandboxSubscriptions,
} from './payments.tables.ts';
import {
  type Amounts,
  amountsOf,
  type CheckoutState,
  type PaymentProvider,
  ProviderDown,
  type SoldPlan,
} from './provider.ts';

/** How long a checkout can be paid, in milliseconds: one day, as at Stripe. */
const CHECKOUT_TTL_MS = 24 * 3_600_000;

export interface SandboxProvider extends PaymentProvider {
  /** Pays a checkout, and closes the user's other ones. False if it was already paid or has expired. */
  pay(payment: {
    checkoutId: string;
    userId: string;
    plan: SoldPlan;
    billingAddress: string | null;
  }): Promise<boolean>;
}

const randomId = (kind: string): string =>
  `${kind}_sandbox_${randomBytes(18).toString('base64url')}`;

export const hashSecret = (clientSecret: string): string =>
  createHash('sha256').update(clientSecret).digest('base64url');

type Priced = Pick<SoldPlan, 'amount' | 'billingPeriod'>;

interface PaidPeriod extends Priced {
  start: Date;
  end: Date;
}

const MONTHS: Record<Exclude<BillingPeriod, 'weekly'>, number> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

/** The end of a period. If the day does not exist in its month, the last day of the month. */
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

function unusedAmount({ amount, start, end }: PaidPeriod, time: Date): number {
  const share = (end.getTime() - time.getTime()) / (end.getTime() - start.getTime());
  return Math.round(amount * Math.min(1, Math.max(0, share)));
}

/**
 * The cost of changing to another plan now, as Stripe computes it: the plan's price for the rest of a
 * period of the same length, or else its whole price, minus the unused part of the old plan and the balance.
 */
function costOfChange(from: PaidPeriod, to: Priced, balance: number, time: Date): Amounts {
  const isSameLength = to.billingPeriod === from.billingPeriod;
  const price = isSameLength ? unusedAmount({ ...from, amount: to.amount }, time) : to.amount;
  return amountsOf(price, balance + unusedAmount(from, time));
}

/** A payment provider that moves no money. Plans do not renew, so periods expire. */
export function createSandboxProvider(
  database: Pick<Database, 'db' | 'transaction'>,
  now: () => Date,
  planByPrice: (priceId: string, tx?: Executor) => Promise<SoldPlan | undefined>,
): SandboxProvider {
  const { db } = database;

  const balanceOf = async (tx: Executor, userId: string): Promise<number> => {
    const [row] = await tx
      .select({ cents: sandboxBalances.cents })
      .from(sandboxBalances)
      .where(eq(sandboxBalances.userId, userId))
      .for('update');
    return row?.cents ?? 0;
  };

  const setBalance = async (tx: Executor, userId: string, cents: number): Promise<void> => {
    await tx
      .insert(sandboxBalances)
      .values({ userId, cents })
      .onConflictDoUpdate({ target: sandboxBalances.userId, set: { cents } });
  };

  const charge = async (
    tx: Executor,
    { id: subscriptionId, userId }: SandboxSubscriptionRow,
    { priceId }: SoldPlan,
    { due, balance }: Amounts,
    paidAt: Date,
  ): Promise<void> => {
    const number = `SANDBOX-${randomBytes(5).toString('hex').toUpperCase()}`;
    const id = randomId('in');
    const invoice = { id, subscriptionId, number, priceId, amount: due, paidAt };
    await tx.insert(sandboxInvoices).values(invoice);
    await setBalance(tx, userId, balance);
  };

  const update = async (
    tx: Executor,
    row: SandboxSubscriptionRow,
    changes: Partial<SandboxSubscriptionRow>,
  ): Promise<SandboxSubscriptionRow> => {
    await tx.update(sandboxSubscriptions).set(changes).where(eq(sandboxSubscriptions.id, row.id));
    return { ...row, ...changes };
  };

  const startNextPlan = async (tx: Executor, row: SandboxSubscriptionRow) => {
    const time = row.periodEnd;
    if (row.nextPriceId === null || time > now()) return row;
    const next = await planByPrice(row.nextPriceId, tx);
    if (!next) return row;
    await charge(tx, row, next, amountsOf(next.amount, await balanceOf(tx, row.userId)), time);
    return update(tx, row, {
      priceId: next.priceId,
      periodStart: time,
      periodEnd: periodEnd(time, next.billingPeriod),
      nextPriceId: null,
    });
  };

  /** Calls `use` with the locked row of a subscription; null if the subscription does not exist. */
  const withRow = <T>(
    id: string,
    use: (tx: Executor, row: SandboxSubscriptionRow) => Promise<T>,
  ): Promise<T | null> =>
    database.transaction(async (tx) => {
      const [row] = await tx
        .select()
        .from(sandboxSubscriptions)
        .where(eq(sandboxSubscriptions.id, id))
        .for('update');
      return row ? use(tx, await startNextPlan(tx, row)) : null;
    });

  const periodOf = async (tx: Executor, row: SandboxSubscriptionRow): Promise<PaidPeriod> => {
    const plan = await planByPrice(row.priceId, tx);
    const { amount, billingPeriod } = plan ?? { amount: 0, billingPeriod: 'weekly' };
    return { amount, billingPeriod, start: row.periodStart, end: row.periodEnd };
  };

  const costOf = async (tx: Executor, row: SandboxSubscriptionRow, plan: SoldPlan, asOf: Date) =>
    costOfChange(await periodOf(tx, row), plan, await balanceOf(tx, row.userId), asOf);

  const readCheckout = async (id: string): Promise<CheckoutState | null> => {
    const [subscription] = await db
      .select({ id: sandboxSubscriptions.id })
      .from(sandboxSubscriptions)
      .where(eq(sandboxSubscriptions.checkoutId, id));
    if (subscription) return { status: 'paid', subscription: subscription.id, card: null };
    const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
    if (!row) return null;
    if (row.status === 'processing') {
      return { status: 'paid', subscription: row.changes, card: 'test card' };
    }
    const status = row.status === 'expired' ? 'expired' : 'open';
    return { status, subscription: null, card: null };
  };

  return {
    name: 'sandbox',

    async openCheckout() {
      const id = randomId('cs');
      const clientSecret = `${id}_secret_${randomBytes(24).toString('base64url')}`;
      const expiresAt = new Date(now().getTime() + CHECKOUT_TTL_MS);
      return { id, clientSecret, secretHash: hashSecret(clientSecret), expiresAt };
    },

    readCheckout,

    async closeCheckout(id) {
      const isOpen = and(eq(checkouts.id, id), payable);
      await db.update(checkouts).set({ status: 'expired' }).where(isOpen);
      return readCheckout(id);
    },

    readSubscription: (id) =>
      withRow(id, async (tx, row) => {
        const next = row.nextPriceId === null ? undefined : await planByPrice(row.nextPriceId, tx);
        return {
          id,
          userId: row.userId,
          customer: row.userId,
          priceId: row.priceId,
          status: row.status === 'active' ? 'active' : 'cancelled',
          startedAt: row.startedAt,
          endsAt: row.periodEnd,
          // Sandbox payments do not fail, so the end of the next plan is known.
          next: next
            ? { priceId: next.priceId, endsAt: periodEnd(row.periodEnd, next.billingPeriod) }
            : null,
          balance: await balanceOf(tx, row.userId),
          billingAddress: row.billingAddress,
        };
      }),

    async newInvoices(subscription, known) {
      const billingAddress = await withRow(subscription, async (_, row) => row.billingAddress);
      const rows = await db
        .select()
        .from(sandboxInvoices)
        .where(eq(sandboxInvoices.subscriptionId, subscription));
      const details = { billingAddress, invoiceUrl: null, receiptUrl: null };
      return rows
        .filter(({ id }) => !known.has(id))
        .map(({ id: providerInvoice, number: invoiceNo, priceId, amount, paidAt }) => {
          return { providerInvoice, invoiceNo, priceId, amount, paidAt, ...details };
        });
    },

    invoiceLinks: async () => new Map(),

    async quote(subscription, plan, asOf) {
      const amounts = await withRow(subscription, (tx, row) => costOf(tx, row, plan, asOf));
      if (!amounts) throw new ProviderDown();
      return amounts;
    },

    async changePlan(subscription, { plan, begins, asOf }) {
      await withRow(subscription, async (tx, row) => {
        if (row.status === 'ended') return;
        const renewed = { status: 'active', nextPriceId: null } as const;
        if (begins === 'at the end') {
          await update(tx, row, { ...renewed, nextPriceId: plan.priceId });
          return;
        }
        if (row.priceId === plan.priceId) {
          await update(tx, row, renewed);
          return;
        }
        const { billingPeriod } = await periodOf(tx, row);
        await charge(tx, row, plan, await costOf(tx, row, plan, asOf), now());
        const period =
          billingPeriod === plan.billingPeriod
            ? {}
            : { periodStart: now(), periodEnd: periodEnd(now(), plan.billingPeriod) };
        await update(tx, row, { ...renewed, ...period, priceId: plan.priceId });
      });
    },

    async resume(subscription) {
      await withRow(subscription, async (tx, row) => {
        if (row.status !== 'ended') await update(tx, row, { status: 'active', nextPriceId: null });
      });
    },

    async cancel(subscription) {
      await withRow(subscription, async (tx, row) => {
        if (row.status !== 'active') return;
        await update(tx, row, { status: 'cancelled', nextPriceId: null });
      });
    },

    async clear({ subscription, customer }) {
      if (!subscription) return;
      await withRow(subscription, async (tx, row) => {
        if (row.status === 'ended') return;
        const end = row.periodEnd < now() ? row.periodEnd : now();
        if (customer === undefined) {
          const unused = unusedAmount(await periodOf(tx, row), end);
          await setBalance(tx, row.userId, (await balanceOf(tx, row.userId)) + unused);
        }
        await update(tx, row, { status: 'ended', periodEnd: end, nextPriceId: null });
      });
    },

    pay: ({ checkoutId, userId, plan, billingAddress }) =>
      database.transaction(async (tx) => {
        const time = now();
        await lockPayments(tx, userId);
        const isCheckout = eq(checkouts.id, checkoutId);
        const [open] = await tx.select().from(checkouts).where(and(isCheckout, payable));
        if (!open) return false;
        if (open.changes !== null) {
          // As at Stripe, this only confirms the card. Settling the checkout makes the change.
          await tx.update(checkouts).set({ status: 'processing' }).where(isCheckout);
          return true;
        }
        const [row] = await tx
          .insert(sandboxSubscriptions)
          .values({
            id: randomId('sub'),
            userId,
            checkoutId,
            priceId: plan.priceId,
            status: 'active',
            startedAt: time,
            periodStart: time,
            periodEnd: periodEnd(time, plan.billingPeriod),
            billingAddress,
          })
          .onConflictDoNothing()
          .returning();
        if (!row) return false;
        await charge(tx, row, plan, amountsOf(plan.amount, await balanceOf(tx, userId)), time);
        const isOther = and(eq(checkouts.userId, userId), ne(checkouts.id, checkoutId));
        await tx
          .update(checkouts)
          .set({ status: 'expired' })
          .where(and(isOther, eq(checkouts.provider, 'sandbox'), payable));
        return true;
      }),
  };
}

export interface Card {
  cardNumber: string;
  /** MM/YY. */
  expiry: string;
  cvc: string;
}

const OUTCOMES: Record<string, 'paid' | 'unpaid'> = {
  '4242424242424242': 'paid',
  '4000000000000002': 'unpaid',
};

function endOfMonth(expiry: string): Date | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/u.exec(expiry) ?? [];
  return month && year ? new Date(Date.UTC(2000 + Number(year), Number(month))) : null;
}

const badCard = (message: string): HttpError => new HttpError(400, 'bad_card', message);

/** Whether a test card pays or is declined. @throws HttpError 400 for an invalid card. */
export function outcomeOf({ cardNumber, expiry, cvc }: Card, time: Date): 'paid' | 'unpaid' {
  const outcome = OUTCOMES[cardNumber.replaceAll(/[\s-]/gu, '')];
  if (!outcome) {
    throw badCard(
      'The sandbox does not accept real cards. Please pay with 4242 4242 4242 4242, or use 4000 0000 0000 0002 to see a declined payment.',
    );
  }
  const end = endOfMonth(expiry);
  if (!end) throw badCard('Please enter the expiry date of the card as MM/YY, such as 12/34.');
  if (end <= time)
    throw badCard('The card has expired. Please enter a future month, such as 12/34.');
  if (!/^\d{3,4}$/u.test(cvc)) {
    throw badCard('Please enter the security code of the card, three or four digits.');
  }
  return outcome;
}
