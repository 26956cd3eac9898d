import type { BillingPeriod } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { Stripe } from 'stripe';
import { z } from 'zod';
import {
  type CheckoutState,
  type PaidInvoice,
  PaymentDeclined,
  type PaymentProvider,
  ProviderDown,
  type SoldPlan,
  type SubscriptionState,
} from './provider.ts';

export const OWNER = 'engram_user';

/** The metadata key of the subscription that a checkout changes. */
export const CHANGES = 'engram_subscription';

const INTERVALS: Record<BillingPeriod, readonly [interval: string, count: number]> = {
  weekly: ['week', 1],
  monthly: ['month', 1],
  quarterly: ['month', 3],
  yearly: ['year', 1],
};

export const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);

const momentOf = (seconds: number): Date => new Date(seconds * 1000);

/** How a price differs from a plan; null if they match. */
export function mismatchOf(price: Stripe.Price, plan: SoldPlan): string | null {
  const [interval, count] = INTERVALS[plan.billingPeriod];
  const { recurring } = price;
  if (!price.active) return 'is not active at Stripe';
  if (price.currency !== 'usd' || price.unit_amount !== plan.amount) {
    return `costs ${price.unit_amount} ${price.currency} (in its smallest unit) at Stripe, but ${plan.amount} usd in the table of plans`;
  }
  if (recurring?.interval !== interval || recurring.interval_count !== count) {
    return `does not recur ${plan.billingPeriod} at Stripe`;
  }
  return null;
}

export function checkoutStateOf(session: Stripe.Checkout.Session): CheckoutState {
  const subscription = idOf(session.subscription) ?? session.metadata?.[CHANGES] ?? null;
  const noResult = { subscription: null, card: null };
  if (session.status === 'expired') return { status: 'expired', ...noResult };
  if (session.status !== 'complete' || !subscription) return { status: 'open', ...noResult };
  if (session.mode === 'setup') {
    const { setup_intent: intent } = session;
    const card = typeof intent === 'object' ? idOf(intent?.payment_method) : null;
    return { status: 'paid', subscription, card };
  }
  // A payment that takes days is complete and unpaid. A free first period needs none.
  const isProcessing = session.payment_status === 'unpaid';
  return { status: isProcessing ? 'processing' : 'paid', subscription, card: null };
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

/** The active schedule of a subscription that was expanded with it. */
export function scheduleOf({
  schedule,
}: Pick<Stripe.Subscription, 'schedule'>): Stripe.SubscriptionSchedule | null {
  return typeof schedule === 'object' && schedule?.status === 'active' ? schedule : null;
}

export const nextPhaseOf = (schedule: Stripe.SubscriptionSchedule | null) =>
  schedule?.phases.find(
    ({ start_date: start }) => start > (schedule.current_phase?.start_date ?? 0),
  );

const balanceOf = ({ customer }: Stripe.Subscription): number =>
  typeof customer === 'object' && !customer.deleted ? Math.max(0, -customer.balance) : 0;

/** Null for a subscription that was never paid. */
function periodOf(
  subscription: Stripe.Subscription,
  { current_period_start: start, current_period_end: end }: Stripe.SubscriptionItem,
): Pick<SubscriptionState, 'status' | 'endsAt'> | null {
  const { cancel_at: cancelAt, cancel_at_period_end: ends, ended_at: endedAt } = subscription;
  switch (subscription.status) {
    case 'active':
    case 'trialing': {
      const status = ends || cancelAt !== null ? 'cancelled' : 'active';
      return { status, endsAt: momentOf(Math.min(cancelAt ?? end, end)) };
    }
    case 'canceled': {
      const unpaid = subscription.cancellation_details?.reason === 'payment_failed';
      return { status: unpaid ? 'expired' : 'cancelled', endsAt: momentOf(endedAt ?? end) };
    }
    // The current period is unpaid, so the paid one ended when it started.
    case 'past_due':
    case 'unpaid':
    case 'paused':
      return { status: 'expired', endsAt: momentOf(start) };
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
  const period = periodOf(subscription, item);
  const nextPhase = nextPhaseOf(scheduleOf(subscription));
  const nextPrice = period?.status === 'active' ? idOf(nextPhase?.items[0]?.price) : null;
  return (
    period && {
      id: subscription.id,
      userId: owner.data,
      customer,
      priceId: item.price.id,
      ...period,
      // Its first period is paid when it begins.
      next: nextPrice ? { priceId: nextPrice, endsAt: null } : null,
      balance: balanceOf(subscription),
      startedAt: momentOf(subscription.created),
      billingAddress: billingAddressOf(subscription),
    }
  );
}

/** @param stripeUrl Returns null for an address that is not Stripe's. */
export function paidInvoiceOf(
  invoice: Stripe.Invoice,
  receipt: string | null | undefined,
  stripeUrl: (address: string | null | undefined) => string | null,
): PaidInvoice {
  // The other lines are credits for the previous plan.
  const [line] = invoice.lines.data.toSorted((a, b) => b.amount - a.amount);
  const { paid_at: paidAt } = invoice.status_transitions;
  return {
    providerInvoice: invoice.id,
    invoiceNo: invoice.number ?? invoice.id,
    priceId: idOf(line?.pricing?.price_details?.price),
    amount: invoice.amount_paid,
    paidAt: momentOf(paidAt ?? invoice.created),
    billingAddress: addressOf(invoice.customer_address),
    invoiceUrl: stripeUrl(invoice.invoice_pdf),
    receiptUrl: stripeUrl(receipt),
  };
}

/** The id of the subscription that an event is about. Its state is read from Stripe, because events may be late. */
export function subscriptionOf({ type, data: { object } }: Stripe.Event): string | null {
  if (type.startsWith('customer.subscription.')) return idOf(object as Stripe.Subscription);
  if (type.startsWith('subscription_schedule.')) {
    const schedule = object as Stripe.SubscriptionSchedule;
    return idOf(schedule.subscription) ?? schedule.released_subscription;
  }
  if (!type.startsWith('invoice.')) return null;
  return idOf((object as Stripe.Invoice).parent?.subscription_details?.subscription);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.statusCode === 404);

export const orNull = <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** Whether Stripe refused a call in the current state. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

export const isDeclined = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 402;

function toProviderError(
  error: unknown,
  call: string,
  log: Pick<FastifyBaseLogger, 'error'>,
): unknown {
  if (isDeclined(error)) return new PaymentDeclined();
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId } = error;
  // The message and request may contain user input, so they are not logged.
  log.error({ call, type, code, statusCode, requestId }, 'a call to Stripe failed');
  return new ProviderDown();
}

export function withProviderErrors(
  provider: PaymentProvider,
  log: Pick<FastifyBaseLogger, 'error'>,
): PaymentProvider {
  return new Proxy(provider, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await call(...args);
        } catch (error) {
          throw toProviderError(error, String(name), log);
        }
      };
    },
  });
}
