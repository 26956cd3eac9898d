import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BillingPeriod } from '@engram/contract';
import { Stripe } from 'stripe';
import { SEED_PLANS } from '../features/subscription/plans.ts';
import { sendJson, startScriptedServer } from './scripted-server.test-setup.ts';
import { expandedBy, type Form, formOf, parseForm, textOf } from './stripe-form.test-setup.ts';
import {
  type FakeEvent,
  type FakePrice,
  invalid,
  StripeRefusal,
} from './stripe-objects.test-setup.ts';
import { createStripeWorld, type StripeWorld } from './stripe-world.test-setup.ts';

export const SECRET_KEY = 'sk_test_51EngramSecretKey';
export const WEBHOOK_SECRET = 'whsec_EngramWebhookSecret';
export const PUBLISHABLE_KEY = 'pk_test_51EngramPublishable';

/** A call to Stripe's API. */
export interface StripeRequest {
  method: string;
  path: string;
  form: Form;
  idempotencyKey: string | undefined;
}

export type StripeBehavior =
  /** @param meanwhile Runs and is awaited just before the call. */
  | { kind: 'work'; meanwhile?: () => unknown }
  /** Fails before the call has any effect. */
  | { kind: 'status'; status: number }
  | { kind: 'hang' }
  /** Drops the connection, before or after the call takes effect. */
  | { kind: 'cut'; after?: boolean };

export interface StripeServerOptions {
  now?: () => Date;
}

const RECURRING: Record<BillingPeriod, FakePrice['recurring']> = {
  weekly: { interval: 'week', interval_count: 1 },
  monthly: { interval: 'month', interval_count: 1 },
  quarterly: { interval: 'month', interval_count: 3 },
  yearly: { interval: 'year', interval_count: 1 },
};

const listOf = (url: string, data: unknown[]) => ({ object: 'list', url, has_more: false, data });

const metadataOf = (form: Form): Record<string, string> =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, textOf(value)]));

function openSession(world: StripeWorld, form: Form): unknown {
  const { hidden: _, ...session } = world.addSession({
    ui_mode: textOf(form['ui_mode']),
    mode: textOf(form['mode']),
    customer: textOf(form['customer']),
    return_url: textOf(form['return_url']),
    client_reference_id: textOf(form['client_reference_id']) || null,
    currency: textOf(form['currency']),
    metadata: metadataOf(formOf(form['metadata'])),
    hidden: {
      price: textOf(formOf(formOf(form['line_items'])['0'])['price']),
      metadata: metadataOf(formOf(formOf(form['subscription_data'])['metadata'])),
    },
  });
  return session;
}

const numberOf = (value: Form[string] | undefined): number | undefined =>
  value === undefined ? undefined : Number(textOf(value));

/** The change of a subscription item that a call requests. */
const requestedItem = (form: Form) => {
  const item = formOf(formOf(form['items'])['0']);
  return { itemId: textOf(item['id']), price: textOf(item['price']) || null };
};

function changeSubscription(world: StripeWorld, id: string, form: Form): unknown {
  const ends = form['cancel_at_period_end'];
  const item = requestedItem(form);
  const behaviors = [form['proration_behavior'], form['payment_behavior']];
  if (item.price !== null && behaviors.join() !== 'always_invoice,error_if_incomplete') {
    throw invalid('Unexpected behavior');
  }
  return world.change(id, {
    ...item,
    ends: ends === undefined ? null : ends === 'true',
    card: textOf(form['default_payment_method']) || null,
    at: numberOf(form['proration_date']),
  });
}

function previewInvoice(world: StripeWorld, form: Form): unknown {
  const details = formOf(form['subscription_details']);
  const { itemId, price } = requestedItem(details);
  if (details['proration_behavior'] !== 'always_invoice') throw invalid('Unexpected behavior');
  const at = numberOf(details['proration_date']);
  return world.preview(textOf(form['subscription']), itemId, price ?? '', at);
}

function changeSchedule(world: StripeWorld, id: string, verb: string, form: Form): unknown {
  if (!id) return world.createSchedule(textOf(form['from_subscription']), form['phases']);
  if (verb === 'release') return world.releaseSchedule(id);
  const phases = Object.values(formOf(form['phases'])).map((phase) => {
    const { duration, start_date: start, end_date: end, items } = formOf(phase);
    const { interval, interval_count: count } = formOf(duration);
    return {
      price: textOf(formOf(formOf(items)['0'])['price']),
      start_date: numberOf(start) ?? null,
      end_date: numberOf(end) ?? null,
      duration: duration
        ? {
            interval: textOf(interval) as FakePrice['recurring']['interval'],
            interval_count: numberOf(count) ?? 1,
          }
        : null,
    };
  });
  const ends = form['end_behavior'] === 'cancel' ? 'cancel' : 'release';
  return world.updateSchedule(id, ends, phases);
}

function readSubscription(world: StripeWorld, id: string, form: Form): unknown {
  const subscription = world.find('subscription', world.subscriptions, id);
  const expanded = expandedBy(form);
  const customer = expanded.includes('customer') && world.customers.get(subscription.customer);
  const schedule =
    expanded.includes('schedule') && world.schedules.get(subscription.schedule ?? '');
  return { ...subscription, ...(customer && { customer }), ...(schedule && { schedule }) };
}

function readSession(world: StripeWorld, id: string, form: Form): unknown {
  const session = world.find('checkout.session', world.sessions, id);
  const { setup_intent: intent } = session;
  return expandedBy(form).includes('setup_intent')
    ? session
    : { ...session, setup_intent: intent?.id ?? null };
}

function listInvoices(world: StripeWorld, form: Form): unknown {
  const withPayments = expandedBy(form).includes('data.payments');
  const rows = world.invoices
    .filter(({ customer, parent, status }) => {
      const { subscription } = parent.subscription_details;
      const target = form['subscription'] ?? form['customer'];
      const isRequested = target === (form['subscription'] ? subscription : customer);
      return isRequested && status === (form['status'] ?? status);
    })
    .map(({ payments, ...invoice }) => (withPayments ? { ...invoice, payments } : invoice));
  return listOf('/v1/invoices', rows.toReversed());
}

/** Executes a call. */
function answer(world: StripeWorld, url: string, { method, path, form }: StripeRequest): unknown {
  const [, kind = '', id = '', verb = '', last = ''] = path.slice(1).split('/');
  switch (`${method} ${kind}`) {
    case 'GET prices': {
      if (id) return world.find('price', world.prices, id);
      const keys = new Set(Object.values(formOf(form['lookup_keys'])).map((key) => textOf(key)));
      const named = [...world.prices.values()].filter((price) => keys.has(price.lookup_key ?? ''));
      return listOf('/v1/prices', named);
    }
    case 'GET customers':
      if (id) return world.find('customer', world.customers, id);
      return listOf(
        '/v1/customers',
        [...world.customers.values()].filter(({ email }) => email === form['email']),
      );
    case 'POST customers':
      return world.addCustomer(textOf(form['email']), metadataOf(formOf(form['metadata'])));
    case 'DELETE customers':
      world.deleteCustomer(id);
      return { id, object: 'customer', deleted: true };
    case 'GET checkout':
      return readSession(world, verb, form);
    case 'POST checkout':
      return last === 'expire' ? world.expireSession(verb) : openSession(world, form);
    case 'GET subscriptions':
      return readSubscription(world, id, form);
    case 'POST subscriptions':
      return changeSubscription(world, id, form);
    case 'DELETE subscriptions':
      return world.cancel(id, form['prorate'] === 'true');
    case 'POST subscription_schedules':
      return changeSchedule(world, id, verb, form);
    case 'POST invoices':
      return previewInvoice(world, form);
    case 'GET invoices':
      return listInvoices(world, form);
    case 'GET payment_intents':
      return {
        id,
        object: 'payment_intent',
        latest_charge: expandedBy(form).includes('latest_charge')
          ? { id: `ch_${id.slice(3)}`, object: 'charge', receipt_url: `${url}/receipts/${id}` }
          : `ch_${id.slice(3)}`,
      };
    default:
      throw invalid(`Unrecognized request URL (${method}: ${path}).`);
  }
}

async function readRequest(incoming: IncomingMessage): Promise<StripeRequest> {
  const { pathname: path, search } = new URL(incoming.url ?? '/', 'http://host');
  const body = Buffer.concat(await incoming.toArray()).toString();
  const key = incoming.headers['idempotency-key'];
  return {
    method: incoming.method ?? '',
    path,
    form: parseForm(body || search.slice(1)),
    idempotencyKey: typeof key === 'string' ? key : undefined,
  };
}

/** The first request with an idempotency key, and its response. */
interface StoredResponse {
  requestText: string;
  status: number;
  body: unknown;
}

/** A server with the used part of Stripe's API, on a free port of this machine. */
export async function startStripeServer({ now = () => new Date() }: StripeServerOptions = {}) {
  const responses = new Map<string, StoredResponse>();
  let url = '';
  const world = createStripeWorld(now, () => url);
  for (const { priceId, amount, billingPeriod } of SEED_PLANS) {
    world.prices.set(priceId, {
      id: priceId,
      object: 'price',
      lookup_key: null,
      active: true,
      currency: 'usd',
      unit_amount: amount,
      recurring: RECURRING[billingPeriod],
    });
  }

  const perform = (request: StripeRequest): StoredResponse => {
    const { idempotencyKey: key, method, path, form } = request;
    const requestText = JSON.stringify([method, path, form]);
    const stored = key === undefined ? undefined : responses.get(key);
    if (stored) {
      if (stored.requestText === requestText) return stored;
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      return {
        requestText,
        status: 400,
        body: { error: { type: 'idempotency_error', message } },
      };
    }
    let result: StoredResponse;
    try {
      const body = structuredClone(answer(world, url, request));
      result = { requestText, status: 200, body };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      result = { requestText, status: error.status, body: { error: error.body } };
    }
    if (key !== undefined) responses.set(key, result);
    return result;
  };

  const handle = async (
    incoming: IncomingMessage,
    response: ServerResponse,
    record: (request: StripeRequest) => StripeBehavior,
  ): Promise<void> => {
    const request = await readRequest(incoming);
    const behavior = record(request);
    if (behavior.kind === 'hang') return;
    if (behavior.kind === 'status') {
      const error = { type: 'api_error', message: 'An error occurred on our side.' };
      return sendJson(response, behavior.status, { error });
    }
    if (behavior.kind === 'cut' && !behavior.after) return void incoming.socket.destroy();
    if (incoming.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      const error = { type: 'invalid_request_error', message: 'Invalid API Key provided.' };
      return sendJson(response, 401, { error });
    }
    if (behavior.kind === 'work') await behavior.meanwhile?.();
    const { status, body } = perform(request);
    if (behavior.kind === 'cut') return void incoming.socket.destroy();
    sendJson(response, status, body, { 'request-id': 'req_test' });
  };

  const server = await startScriptedServer<StripeRequest, StripeBehavior>({
    first: { kind: 'work' },
    handle,
  });
  url = server.url;

  return {
    ...server,
    world,
    /** Settings of a server that takes payments through this one. */
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: server.url,
    },
    /** The session that was opened last. */
    lastSession: (): string => [...world.sessions.keys()].at(-1) ?? '',

    /** Sends an event to a server with Stripe's signature. Returns the status. */
    async send(
      baseUrl: string,
      event: FakeEvent,
      { secret = WEBHOOK_SECRET, timestamp = Math.floor(now().getTime() / 1000), body = '' } = {},
    ): Promise<number> {
      const payload = JSON.stringify(event, null, 2);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      const response = await fetch(`${baseUrl}/stripe/webhook`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signature,
        },
        body: body || payload,
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>;
