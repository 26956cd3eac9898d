import type { FastifyBaseLogger } from 'fastify';
import { Stripe } from 'stripe';
import { HttpError } from '../../platform/http/errors.ts';
import { type Leftovers, type Order, type PaymentProvider, type SoldPlan } from './provider.ts';
import { createStripeChanges } from './stripe-changes.ts';
import {
  CHANGES,
  checkoutStateOf,
  idOf,
  isRefused,
  mismatchOf,
  orNull,
  OWNER,
  paidInvoiceOf,
  subscriptionOf,
  subscriptionStateOf,
  withProviderErrors,
} from './stripe-objects.ts';

const TIMEOUT_MS = 15_000;

/** How old the signature of an event may be, in seconds. */
const TOLERANCE_S = 300;

/** The maximum number of invoices read. A weekly plan takes two years to reach it. */
const MAX_INVOICES = 100;

/** @param options.apiBase The base URL of a server that implements Stripe's API, instead of Stripe. */
export function createStripeProvider(options: {
  secretKey: string;
  webhookSecret: string;
  apiBase: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  now: () => Date;
  isKnownPrice: (priceId: string) => Promise<boolean>;
  timeoutMs?: number;
  retries?: number;
}) {
  const { log, now, webhookSecret, timeoutMs = TIMEOUT_MS, retries = 2, isKnownPrice } = options;
  const base = options.apiBase ? new URL(options.apiBase) : null;
  const stripe = new Stripe(options.secretKey, {
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? 'https' : 'http',
        }
      : {}),
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  });
  /** An address of Stripe; null for any other, because users must not be sent there. */
  const stripeUrl = (address: string | null | undefined): string | null => {
    const url = address ? URL.parse(address) : null;
    if (!url) return null;
    const isStripe = url.protocol === 'https:' && /(?:^|\.)stripe\.com$/u.test(url.hostname);
    return isStripe || url.origin === base?.origin ? url.href : null;
  };

  /** Stripe's price of a plan, by its id or by its lookup key. */
  const priceOf = async (plan: SoldPlan): Promise<Stripe.Price> => {
    const { priceId } = plan;
    const price =
      (await orNull(stripe.prices.retrieve(priceId))) ??
      (await stripe.prices.list({ lookup_keys: [priceId] })).data[0];
    const wrong = price ? mismatchOf(price, plan) : 'is not known to Stripe';
    if (price && !wrong) return price;
    log.error(`The price ${priceId} of ${plan.name} ${wrong}.`);
    const message =
      'This plan cannot be bought right now. Nothing was charged. Please choose another plan or contact support.';
    throw new HttpError(503, 'price_not_sold', message);
  };

  const planPriceOf = async (price: Stripe.Price): Promise<string> =>
    price.lookup_key && !(await isKnownPrice(price.id)) ? price.lookup_key : price.id;

  const planPriceById = async (priceId: string | null): Promise<string | null> => {
    if (!priceId || (await isKnownPrice(priceId))) return priceId;
    const price = await orNull(stripe.prices.retrieve(priceId));
    return price ? planPriceOf(price) : priceId;
  };

  /** Finds or creates a user's customer. Requires the plan's lock, so that each user gets only one. */
  const customerOf = async ({ userId, email, customer }: Order): Promise<string> => {
    if (customer) {
      const stored = await orNull(stripe.customers.retrieve(customer));
      if (stored && !stored.deleted) return stored.id;
    }
    const withEmail = await stripe.customers.list({ email, limit: 100 });
    const existing = withEmail.data.find(({ metadata }) => metadata[OWNER] === userId);
    if (existing) return existing.id;
    const created = await stripe.customers.create({ email, metadata: { [OWNER]: userId } });
    return created.id;
  };

  const receiptOf = async (invoice: Stripe.Invoice): Promise<string | null> => {
    const payment = invoice.payments?.data.find(({ status }) => status === 'paid')?.payment;
    const [intent, charge] = [idOf(payment?.payment_intent), idOf(payment?.charge)];
    if (intent) {
      const expand = ['latest_charge'];
      const paid = await orNull(stripe.paymentIntents.retrieve(intent, { expand }));
      const latest = paid?.latest_charge;
      return typeof latest === 'object' ? (latest?.receipt_url ?? null) : null;
    }
    const paid = charge ? await orNull(stripe.charges.retrieve(charge)) : null;
    return paid?.receipt_url ?? null;
  };

  const endSubscription = async (id: string, hasCustomer: boolean): Promise<void> => {
    const subscription = await orNull(stripe.subscriptions.retrieve(id));
    const status = subscription?.status;
    if (!status || status === 'canceled' || status === 'incomplete_expired') return;
    // The unused part of a paid period is credited to the customer.
    const credit = status === 'active' && hasCustomer ? { prorate: true, invoice_now: true } : {};
    await orNull(stripe.subscriptions.cancel(id, credit));
  };

  const readSession = (id: string): Promise<Stripe.Checkout.Session | null> =>
    orNull(stripe.checkout.sessions.retrieve(id, { expand: ['setup_intent'] }));

  const closeSession = async (id: string): Promise<Stripe.Checkout.Session | null> => {
    const session = await readSession(id);
    if (session?.status !== 'open') return session;
    const closed = await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
      // The user has just paid.
      if (isRefused(error)) return null;
      throw error;
    });
    return closed ?? readSession(id);
  };

  const provider: PaymentProvider = {
    name: 'stripe',

    async openCheckout(order) {
      const { plan, userId, returnUrl, changes } = order;
      const price = await priceOf(plan);
      const customer = await customerOf(order);
      const metadata = { [OWNER]: userId };
      const common = {
        ui_mode: 'embedded_page',
        customer,
        client_reference_id: userId,
        billing_address_collection: 'required',
        customer_update: { address: 'auto', name: 'auto' },
        return_url: returnUrl,
      } as const;
      const session = await stripe.checkout.sessions.create(
        changes === null
          ? {
              ...common,
              mode: 'subscription',
              line_items: [{ price: price.id, quantity: 1 }],
              metadata,
              subscription_data: { metadata },
            }
          : {
              ...common,
              mode: 'setup',
              currency: price.currency,
              metadata: { ...metadata, [CHANGES]: changes },
            },
      );
      return {
        id: session.id,
        clientSecret: session.client_secret ?? '',
        secretHash: null,
        expiresAt: new Date(session.expires_at * 1000),
      };
    },

    async readCheckout(id) {
      const session = await readSession(id);
      return session && checkoutStateOf(session);
    },

    async closeCheckout(id) {
      const session = await closeSession(id);
      return session && checkoutStateOf(session);
    },

    async readSubscription(id) {
      const subscription = await orNull(
        stripe.subscriptions.retrieve(id, {
          expand: ['customer', 'default_payment_method', 'schedule'],
        }),
      );
      const state = subscription && subscriptionStateOf(subscription);
      const price = subscription?.items.data[0]?.price;
      if (!state || !price) return null;
      const { next } = state;
      const renamed = next && { ...next, priceId: (await planPriceById(next.priceId)) ?? '' };
      return { ...state, priceId: await planPriceOf(price), next: renamed };
    },

    async newInvoices(subscription, known) {
      const { data } = await stripe.invoices.list({
        subscription,
        status: 'paid',
        limit: MAX_INVOICES,
        expand: ['data.payments'],
      });
      const unknown = data.filter(({ id }) => !known.has(id));
      return Promise.all(
        unknown.map(async (invoice) => {
          const paid = paidInvoiceOf(invoice, await receiptOf(invoice), stripeUrl);
          return { ...paid, priceId: await planPriceById(paid.priceId) };
        }),
      );
    },

    async invoiceLinks(customer) {
      const { data } = await stripe.invoices.list({
        customer,
        status: 'paid',
        limit: MAX_INVOICES,
      });
      return new Map(
        data.flatMap(({ id, invoice_pdf: pdf }) => {
          const url = stripeUrl(pdf);
          return url ? [[id, url] as const] : [];
        }),
      );
    },

    ...createStripeChanges(stripe, priceOf),

    async clear({ subscription, checkouts = [], customer }: Leftovers) {
      const buyers = new Set([customer]);
      for (const id of checkouts) buyers.add(idOf((await closeSession(id))?.customer));
      if (subscription) await endSubscription(subscription, customer === undefined);
      if (customer === undefined) return;
      for (const id of buyers) {
        if (id) await orNull(stripe.customers.del(id));
      }
    },
  };

  return {
    ...withProviderErrors(provider, log),

    /** The checkout or subscription of an event; null for a signature that is invalid or too old. */
    readEvent(body: Buffer, signature: string) {
      try {
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          TOLERANCE_S,
          undefined,
          now().getTime(),
        );
        const { type, data } = event;
        const isCheckout = type.startsWith('checkout.session.');
        const checkout = isCheckout ? (data.object as Stripe.Checkout.Session).id : null;
        return { checkout, subscription: subscriptionOf(event) };
      } catch {
        return null;
      }
    },
  };
}

export type StripeProvider = ReturnType<typeof createStripeProvider>;
