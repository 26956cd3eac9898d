import type { BillingPeriod } from '@engram/contract';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import type { CheckoutState, PaidInvoice, SoldPlan, SubscriptionState } from './provider.ts';

/** Where Engram's id of a buyer stands in what it makes at Stripe. */
export const OWNER = 'engram_user';

/** Where in a checkout that only takes a card the subscription stands that is changed by it. */
export const CHANGES = 'engram_subscription';

const INTERVALS: Record<BillingPeriod, readonly [interval: string, count: number]> = {
  weekly: ['week', 1],
  monthly: ['month', 1],
  quarterly: ['month', 3],
  yearly: ['year', 1],
};

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);

const momentOf = (seconds: number): Date => new Date(seconds * 1000);

/** Why a price does not sell a plan as it is shown; null where it does. */
export function mismatchOf(price: Stripe.Price, plan: SoldPlan): string | null {
  const [interval, count] = INTERVALS[plan.billingPeriod];
  const { recurring } = price;
  if (!price.active) return 'is not active at Stripe';
  if (price.currency !== 'usd' || price.unit_amount !== plan.amount) {
    return `costs ${price.unit_amount} ${price.currency} (in its smallest unit) at Stripe, and ${plan.amount} usd in the table of plans`;
  }
  if (recurring?.interval !== interval || recurring.interval_count !== count) {
    return `does not recur ${plan.billingPeriod} at Stripe`;
  }
  return null;
}

export function checkoutStateOf(session: Stripe.Checkout.Session): CheckoutState {
  const subscription = idOf(session.subscription) ?? session.metadata?.[CHANGES] ?? null;
  const nothing = { subscription: null, card: null };
  if (session.status === 'expired') return { status: 'expired', ...nothing };
  if (session.status !== 'complete' || !subscription) return { status: 'open', ...nothing };
  if (session.mode === 'setup') {
    const { setup_intent: intent } = session;
    const card = typeof intent === 'object' ? idOf(intent?.payment_method) : null;
    return { status: 'paid', subscription, card };
  }
  // A free first period needs no payment; a payment that takes days is complete and unpaid.
  const isUnderWay = session.payment_status === 'unpaid';
  return { status: isUnderWay ? 'processing' : 'paid', subscription, card: null };
}

function addressOf(address: Stripe.Address | null | undefined): string | null {
  if (!address) return null;
  const { line1, line2, postal_code: code, city, state, country } = address;
  const town = [code, city].filter(Boolean).join(' ');
  return [line1, line2, town, state, country].filter(Boolean).join(', ') || null;
}

function billingAddressOf(subscription: Stripe.Subscription): string | null {
  const { customer, default_payment_method: method } = subscription;
  const ofCustomer =
    typeof customer === 'object' && !customer.deleted ? addressOf(customer.address) : null;
  const ofMethod =
    typeof method === 'object' && method ? addressOf(method.billing_details.address) : null;
  return ofCustomer ?? ofMethod;
}

/** The schedule that a subscription follows, where it was asked for in full. */
export function scheduleOf({
  schedule,
}: Pick<Stripe.Subscription, 'schedule'>): Stripe.SubscriptionSchedule | null {
  return typeof schedule === 'object' && schedule?.status === 'active' ? schedule : null;
}

/** The phase of a schedule that is still to come. */
export const comingPhaseOf = (schedule: Stripe.SubscriptionSchedule | null) =>
  schedule?.phases.find(
    ({ start_date: start }) => start > (schedule.current_phase?.start_date ?? 0),
  );

/** What is held for a buyer, in the smallest unit. */
const balanceOf = ({ customer }: Stripe.Subscription): number =>
  typeof customer === 'object' && !customer.deleted ? Math.max(0, -customer.balance) : 0;

type Standing = Pick<SubscriptionState, 'status' | 'endsAt'>;

/** Null for a subscription whose first payment was never made. */
function standingOf(
  subscription: Stripe.Subscription,
  period: { start: Date; end: Date },
): Standing | null {
  const { cancel_at: cancelAt, cancel_at_period_end: ends, ended_at: endedAt } = subscription;
  switch (subscription.status) {
    case 'active':
    case 'trialing': {
      const endsAt =
        cancelAt === null ? period.end : momentOf(Math.min(cancelAt, +period.end / 1000));
      return { status: ends || cancelAt !== null ? 'cancelled' : 'active', endsAt };
    }
    case 'canceled': {
      const unpaid = subscription.cancellation_details?.reason === 'payment_failed';
      const endsAt = endedAt === null ? period.end : momentOf(endedAt);
      return { status: unpaid ? 'expired' : 'cancelled', endsAt };
    }
    // A new period has begun and was not paid: what was paid for has ended with its start.
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return { status: 'expired', endsAt: period.start };
    default:
      return null;
  }
}

/** Null for a subscription that is not Engram's, or was never paid. */
export function subscriptionStateOf(subscription: Stripe.Subscription): SubscriptionState | null {
  const owner = z.uuid().safeParse(subscription.metadata[OWNER]);
  const item = subscription.items.data[0];
  const customer = idOf(subscription.customer);
  if (!owner.success || !item || !customer) return null;
  const standing = standingOf(subscription, {
    start: momentOf(item.current_period_start),
    end: momentOf(item.current_period_end),
  });
  const coming = comingPhaseOf(scheduleOf(subscription));
  const following = standing?.status === 'active' ? idOf(coming?.items[0]?.price) : null;
  return (
    standing && {
      id: subscription.id,
      userId: owner.data,
      customer,
      priceId: item.price.id,
      ...standing,
      // It is paid, or not, when it begins.
      next: following ? { priceId: following, endsAt: null } : null,
      balance: balanceOf(subscription),
      startedAt: momentOf(subscription.created),
      billingAddress: billingAddressOf(subscription),
    }
  );
}

/** An invoice's payment, as far as its receipt is found by it. */
export function paymentOf(invoice: Stripe.Invoice): { intent?: string; charge?: string } {
  const payment = invoice.payments?.data.find(({ status }) => status === 'paid')?.payment;
  const intent = idOf(payment?.payment_intent);
  const charge = idOf(payment?.charge);
  return { ...(intent ? { intent } : {}), ...(charge ? { charge } : {}) };
}

/** @param ownUrl What passes for an address of Stripe's. */
export function paidInvoiceOf(
  invoice: Stripe.Invoice,
  receipt: string | null | undefined,
  ownUrl: (address: string | null | undefined) => string | null,
): PaidInvoice {
  // Beside what is left of another plan, the plan that was bought costs most.
  const [line] = invoice.lines.data.toSorted((a, b) => b.amount - a.amount);
  const { paid_at: paidAt } = invoice.status_transitions;
  return {
    id: invoice.id,
    number: invoice.number ?? invoice.id,
    priceId: idOf(line?.pricing?.price_details?.price),
    amount: invoice.amount_paid,
    paidAt: momentOf(paidAt ?? invoice.created),
    billingAddress: addressOf(invoice.customer_address),
    invoiceUrl: ownUrl(invoice.invoice_pdf),
    receiptUrl: ownUrl(receipt),
  };
}

/** What an event says to look at. */
export type EventSubject =
  { kind: 'checkout'; id: string } | { kind: 'subscription'; id: string } | { kind: 'other' };

const named = z.object({ id: z.string() });
const ofSchedule = z.object({
  subscription: z.string().nullable(),
  released_subscription: z.string().nullable(),
});
const ofSubscription = z.object({
  parent: z.object({
    subscription_details: z.object({ subscription: z.union([z.string(), named]) }),
  }),
});

/** What to look at for an event; what it says of it is not believed, but asked anew. */
export function subjectOf(type: string, object: unknown): EventSubject {
  const { data: self } = named.safeParse(object);
  if (self && type.startsWith('checkout.session.')) return { kind: 'checkout', id: self.id };
  if (self && type.startsWith('customer.subscription.')) {
    return { kind: 'subscription', id: self.id };
  }
  if (type.startsWith('subscription_schedule.')) {
    const { data: schedule } = ofSchedule.safeParse(object);
    const id = schedule?.subscription ?? schedule?.released_subscription;
    return id ? { kind: 'subscription', id } : { kind: 'other' };
  }
  if (!type.startsWith('invoice.')) return { kind: 'other' };
  const { data: invoice } = ofSubscription.safeParse(object);
  const id = idOf(invoice?.parent.subscription_details.subscription);
  return id ? { kind: 'subscription', id } : { kind: 'other' };
}
