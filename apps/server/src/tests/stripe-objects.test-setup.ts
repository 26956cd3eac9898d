/** The objects of Stripe's API, with the fields that the fake server sends. Times are in seconds. */

export interface FakeAddress {
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
}

export interface FakePrice {
  id: string;
  object: 'price';
  lookup_key: string | null;
  active: boolean;
  currency: string;
  unit_amount: number;
  recurring: { interval: 'week' | 'month' | 'year'; interval_count: number };
}

export interface FakeCustomer {
  id: string;
  object: 'customer';
  email: string;
  address: FakeAddress | null;
  metadata: Record<string, string>;
  /** Cents that the customer owes. A negative amount is credit. */
  balance: number;
  deleted?: true;
}

export interface FakeSession {
  id: string;
  object: 'checkout.session';
  ui_mode: string;
  mode: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  client_secret: string;
  client_reference_id: string | null;
  customer: string;
  subscription: string | null;
  /** The card from a session that only collects one. */
  setup_intent: { id: string; object: 'setup_intent'; payment_method: string } | null;
  return_url: string;
  created: number;
  expires_at: number;
  metadata: Record<string, string>;
  /** Not part of the API: the price of the session, and the metadata of its subscription. */
  hidden: { price: string; metadata: Record<string, string> };
}

export interface FakeSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: 'active' | 'past_due' | 'canceled' | 'incomplete' | 'unpaid';
  created: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  cancellation_details: { reason: string | null };
  default_payment_method: string | null;
  schedule: string | null;
  metadata: Record<string, string>;
  items: { object: 'list'; data: FakeItem[] };
}

export interface FakeItem {
  id: string;
  object: 'subscription_item';
  price: FakePrice;
  current_period_start: number;
  current_period_end: number;
}

export interface FakePhase {
  items: { price: string; quantity: number }[];
  start_date: number;
  end_date: number;
}

export interface FakeSchedule {
  id: string;
  object: 'subscription_schedule';
  status: 'active' | 'released' | 'canceled';
  customer: string;
  subscription: string | null;
  released_subscription: string | null;
  end_behavior: 'release' | 'cancel';
  current_phase: { start_date: number; end_date: number } | null;
  phases: FakePhase[];
}

/** A preview of an invoice. */
export interface FakePreview {
  object: 'invoice';
  amount_due: number;
  starting_balance: number;
  ending_balance: null;
  lines: { object: 'list'; data: { amount: number; pricing: unknown }[] };
}

export interface FakeInvoice {
  id: string;
  object: 'invoice';
  number: string;
  status: 'paid' | 'open';
  amount_paid: number;
  created: number;
  customer: string;
  customer_address: FakeAddress | null;
  invoice_pdf: string;
  parent: {
    type: 'subscription_details';
    subscription_details: { subscription: string; metadata: Record<string, string> };
  };
  status_transitions: { paid_at: number | null };
  lines: {
    object: 'list';
    data: { id: string; amount: number; pricing: { price_details: { price: string } } }[];
  };
  payments: {
    object: 'list';
    data: { status: string; payment: { type: 'payment_intent'; payment_intent: string } }[];
  };
}

export interface FakeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  livemode: false;
  data: { object: unknown };
}

/** An error in Stripe's format. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body['message']));
    this.status = status;
    this.body = body;
  }
}

export const missing = (kind: string, id: string): StripeRefusal =>
  new StripeRefusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  });

export const invalid = (message: string, param?: string): StripeRefusal =>
  new StripeRefusal(400, { type: 'invalid_request_error', message, param });

/** The end of a period that begins at the given time, both in seconds. */
export function periodEndOf(start: number, { interval, interval_count }: FakePrice['recurring']) {
  const date = new Date(start * 1000);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() + 7 * interval_count);
  if (interval === 'month') {
    const month = date.getUTCMonth() + interval_count;
    date.setUTCMonth(month);
    if (date.getUTCMonth() !== month % 12) date.setUTCDate(0);
  }
  if (interval === 'year') date.setUTCFullYear(date.getUTCFullYear() + interval_count);
  return Math.floor(date.getTime() / 1000);
}
