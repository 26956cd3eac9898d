import { randomBytes } from 'node:crypto';
import {
  type FakeAddress,
  type FakeCustomer,
  type FakeEvent,
  type FakeInvoice,
  type FakePreview,
  type FakePrice,
  type FakeSchedule,
  type FakeSession,
  type FakeSubscription,
  invalid,
  missing,
  periodEndOf,
  StripeRefusal,
} from './stripe-objects.test-setup.ts';
import { keepsPeriod, linesOfChange, previewOf } from './stripe-proration.test-setup.ts';
import { createStripeSchedules } from './stripe-schedules.test-setup.ts';

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export const HARBOUR_STREET: FakeAddress = {
  line1: '1 Harbour Street',
  line2: null,
  postal_code: '20457',
  city: 'Hamburg',
  state: null,
  country: 'DE',
};

const DAY_S = 86_400;

/**
 * A Stripe account with its customers, prices, checkouts, subscriptions and invoices. Changes
 * create events, which are not sent automatically.
 * @param origin The address of its documents.
 */
export function createStripeWorld(now: () => Date, origin: () => string) {
  const prices = new Map<string, FakePrice>();
  const customers = new Map<string, FakeCustomer>();
  const sessions = new Map<string, FakeSession>();
  const subscriptions = new Map<string, FakeSubscription>();
  const schedules = new Map<string, FakeSchedule>();
  const invoices: FakeInvoice[] = [];
  const events: FakeEvent[] = [];
  let declining = false;

  const seconds = (): number => Math.floor(now().getTime() / 1000);

  const find = <T>(kind: string, objects: ReadonlyMap<string, T>, id: string): T => {
    const object = objects.get(id);
    if (!object) throw missing(kind, id);
    return object;
  };

  const itemOf = (subscription: FakeSubscription) => {
    const [item] = subscription.items.data;
    if (!item) throw invalid('A subscription has an item.');
    return item;
  };

  const emit = (type: string, object: unknown): FakeEvent => {
    const data = { object: structuredClone(object) };
    const created = seconds();
    const event = {
      id: newId('evt'),
      object: 'event',
      type,
      created,
      livemode: false,
      data,
    } as const;
    events.push(event);
    return event;
  };

  /** An invoice that is charged immediately, first against the customer's credit. */
  const charge = (
    subscription: FakeSubscription,
    lines: { price: string; amount: number }[],
    delayed = false,
  ): FakeInvoice | null => {
    const customer = find('customer', customers, subscription.customer);
    const total = lines.reduce((sum, { amount }) => sum + amount, 0);
    const due = Math.max(0, total + customer.balance);
    if (due > 0 && declining) return null;
    customer.balance = Math.min(0, total + customer.balance);
    const id = newId('in');
    const invoice: FakeInvoice = {
      id,
      object: 'invoice',
      number: `ENGRAM-${String(invoices.length + 1).padStart(4, '0')}`,
      status: delayed ? 'open' : 'paid',
      amount_paid: delayed ? 0 : due,
      created: seconds(),
      customer: customer.id,
      customer_address: customer.address,
      invoice_pdf: `${origin()}/invoice/${id}.pdf`,
      parent: {
        type: 'subscription_details',
        subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
      },
      status_transitions: { paid_at: delayed ? null : seconds() },
      lines: {
        object: 'list',
        data: lines.map(({ price, amount }) => ({
          id: newId('il'),
          amount,
          pricing: { price_details: { price } },
        })),
      },
      payments: {
        object: 'list',
        data: [
          {
            status: delayed ? 'open' : 'paid',
            payment: { type: 'payment_intent', payment_intent: `pi_${id.slice(3)}` },
          },
        ],
      },
    };
    invoices.push(invoice);
    if (!delayed) emit('invoice.paid', invoice);
    return invoice;
  };

  const end = (subscription: FakeSubscription, at: number, reason: string): void => {
    subscription.status = 'canceled';
    subscription.canceled_at ??= at;
    subscription.ended_at = at;
    subscription.cancellation_details.reason = reason;
    emit('customer.subscription.deleted', subscription);
  };

  const schedulesOf = createStripeSchedules({
    newId,
    itemOf,
    emit,
    subscriptionOf: (id) => find('subscription', subscriptions, id),
    scheduleOf: (id) => find('subscription_schedule', schedules, id),
    priceOf: (id) => find('price', prices, id),
    keep: (schedule) => void schedules.set(schedule.id, schedule),
  });

  return {
    prices,
    customers,
    sessions,
    subscriptions,
    schedules,
    invoices,
    events,
    createSchedule: schedulesOf.create,
    updateSchedule: schedulesOf.update,
    releaseSchedule: schedulesOf.release,
    find,

    /** Whether cards are declined from now on. */
    decline: (on: boolean): void => void (declining = on),

    addCustomer(email: string, metadata: Record<string, string>): FakeCustomer {
      const id = newId('cus');
      const customer: FakeCustomer = {
        id,
        object: 'customer',
        email,
        address: null,
        metadata,
        balance: 0,
      };
      customers.set(id, customer);
      return customer;
    },

    /** Deletes a customer, and ends their subscriptions. */
    deleteCustomer(id: string): FakeCustomer {
      const customer = find('customer', customers, id);
      customers.delete(id);
      for (const subscription of subscriptions.values()) {
        const ended = subscription.status === 'canceled';
        if (subscription.customer === id && !ended)
          end(subscription, seconds(), 'cancellation_requested');
      }
      return { ...customer, deleted: true };
    },

    addSession(
      params: Pick<FakeSession, 'ui_mode' | 'mode' | 'customer' | 'return_url' | 'hidden'> & {
        currency: string;
        metadata: Record<string, string>;
        client_reference_id: string | null;
      },
    ): FakeSession {
      find('customer', customers, params.customer);
      if (params.mode !== 'setup') find('price', prices, params.hidden.price);
      else if (!params.currency) throw invalid('Missing required param: currency.', 'currency');
      if (params.ui_mode !== 'embedded_page') throw invalid('Invalid ui_mode', 'ui_mode');
      if (!URL.canParse(params.return_url)) throw invalid('Not a valid URL', 'return_url');
      const id = newId('cs_test');
      const session: FakeSession = {
        ...params,
        id,
        object: 'checkout.session',
        status: 'open',
        payment_status: 'unpaid',
        client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        subscription: null,
        setup_intent: null,
        created: seconds(),
        expires_at: seconds() + DAY_S,
      };
      sessions.set(id, session);
      return session;
    },

    expireSession(id: string): FakeSession {
      const session = find('checkout.session', sessions, id);
      if (session.status !== 'open') {
        throw invalid(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        );
      }
      session.status = 'expired';
      emit('checkout.session.expired', session);
      return session;
    },

    /**
     * Completes the embedded checkout. Returns its events in order.
     * @param delayed Whether the payment method takes days. Stripe expects the money to arrive.
     */
    pay(sessionId: string, { delayed = false } = {}): FakeEvent[] {
      const session = find('checkout.session', sessions, sessionId);
      if (session.status !== 'open') throw invalid('This checkout is not open.');
      const first = events.length;
      if (session.mode === 'setup') {
        session.status = 'complete';
        session.payment_status = 'no_payment_required';
        const card = newId('pm');
        session.setup_intent = { id: newId('seti'), object: 'setup_intent', payment_method: card };
        emit('checkout.session.completed', session);
        return events.slice(first);
      }
      const price = find('price', prices, session.hidden.price);
      find('customer', customers, session.customer).address = HARBOUR_STREET;
      const start = seconds();
      const subscription: FakeSubscription = {
        id: newId('sub'),
        object: 'subscription',
        customer: session.customer,
        status: 'active',
        created: start,
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        ended_at: null,
        cancellation_details: { reason: null },
        default_payment_method: null,
        schedule: null,
        metadata: session.hidden.metadata,
        items: {
          object: 'list',
          data: [
            {
              id: newId('si'),
              object: 'subscription_item',
              price,
              current_period_start: start,
              current_period_end: periodEndOf(start, price.recurring),
            },
          ],
        },
      };
      subscriptions.set(subscription.id, subscription);
      emit('customer.subscription.created', { ...subscription, status: 'incomplete' });
      charge(subscription, [{ price: price.id, amount: price.unit_amount }], delayed);
      emit('customer.subscription.updated', subscription);
      session.status = 'complete';
      session.payment_status = delayed ? 'unpaid' : 'paid';
      session.subscription = subscription.id;
      emit('checkout.session.completed', session);
      return events.slice(first);
    },

    /** The money of a delayed payment arrives. */
    arrive(sessionId: string): void {
      const session = find('checkout.session', sessions, sessionId);
      for (const invoice of invoices) {
        const { subscription } = invoice.parent.subscription_details;
        if (subscription !== session.subscription || invoice.status === 'paid') continue;
        invoice.status = 'paid';
        invoice.amount_paid = invoice.lines.data.reduce((sum, { amount }) => sum + amount, 0);
        invoice.status_transitions.paid_at = seconds();
        for (const payment of invoice.payments.data) payment.status = 'paid';
        emit('invoice.paid', invoice);
      }
      session.payment_status = 'paid';
      emit('checkout.session.async_payment_succeeded', session);
    },

    /** Changes a subscription. If the card is declined, nothing changes. */
    change(
      id: string,
      {
        price: priceId,
        itemId,
        ends,
        card,
        at,
      }: {
        price: string | null;
        itemId: string;
        /** Whether it ends with its period, or null if not specified. */
        ends: boolean | null;
        card: string | null;
        at: number | undefined;
      },
    ): FakeSubscription {
      const subscription = find('subscription', subscriptions, id);
      const item = itemOf(subscription);
      if (subscription.schedule !== null && ends !== null) {
        throw invalid(
          `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
        );
      }
      if (priceId !== null) {
        const price = find('price', prices, priceId);
        if (item.id !== itemId) throw missing('subscription_item', itemId);
        const original = structuredClone(item);
        const lines = linesOfChange(item, price, seconds(), at);
        if (!keepsPeriod(item, price)) {
          item.current_period_start = seconds();
          item.current_period_end = periodEndOf(seconds(), price.recurring);
        }
        item.price = price;
        if (!charge(subscription, lines)) {
          Object.assign(item, original);
          throw new StripeRefusal(402, {
            type: 'card_error',
            code: 'card_declined',
            message: 'Your card was declined.',
          });
        }
      }
      if (ends !== null) {
        subscription.cancel_at_period_end = ends;
        subscription.cancel_at = ends ? item.current_period_end : null;
        subscription.canceled_at = ends ? seconds() : null;
      }
      subscription.default_payment_method = card ?? subscription.default_payment_method;
      emit('customer.subscription.updated', subscription);
      return subscription;
    },

    /** The invoice that an immediate change to another price would create. */
    preview(id: string, itemId: string, priceId: string, at: number | undefined): FakePreview {
      const subscription = find('subscription', subscriptions, id);
      const item = itemOf(subscription);
      if (item.id !== itemId) throw missing('subscription_item', itemId);
      const lines = linesOfChange(item, find('price', prices, priceId), seconds(), at);
      return previewOf(lines, find('customer', customers, subscription.customer).balance);
    },

    /** Ends a subscription immediately, and credits the unused time if requested. */
    cancel(id: string, prorate: boolean): FakeSubscription {
      const subscription = find('subscription', subscriptions, id);
      if (subscription.status === 'canceled') throw missing('subscription', id);
      const item = itemOf(subscription);
      if (prorate) {
        const [unusedTime] = linesOfChange(item, item.price, seconds());
        find('customer', customers, subscription.customer).balance += unusedTime?.amount ?? 0;
      }
      end(subscription, seconds(), 'cancellation_requested');
      return subscription;
    },

    /** Starts the next period: it is paid, unpaid if cards are declined, or was cancelled. */
    nextPeriod(id: string): FakeSubscription {
      const subscription = find('subscription', subscriptions, id);
      const item = itemOf(subscription);
      if (subscription.cancel_at !== null && subscription.cancel_at <= item.current_period_end) {
        end(subscription, item.current_period_end, 'cancellation_requested');
        return subscription;
      }
      item.price = schedulesOf.enter(subscription) ?? item.price;
      item.current_period_start = item.current_period_end;
      item.current_period_end = periodEndOf(item.current_period_start, item.price.recurring);
      const paid = charge(subscription, [{ price: item.price.id, amount: item.price.unit_amount }]);
      subscription.status = paid ? 'active' : 'past_due';
      emit('customer.subscription.updated', subscription);
      return subscription;
    },
  };
}

export type StripeWorld = ReturnType<typeof createStripeWorld>;
