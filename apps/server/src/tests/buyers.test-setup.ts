import {
  cancelSubscription,
  createSubscription,
  getBilling,
  getSessionDetails,
  getMetrics,
  listInvoices,
  previewPlan,
  resumeSubscription,
  updatePlan,
} from '@engram/contract';
import { afterAll, beforeAll } from 'vitest';
import { type StripeServer, startStripeServer } from './stripe-server.test-setup.ts';
import {
  buildTestApp,
  type SignedInUser,
  type TestApp,
  type TestAppOptions,
} from './app.test-setup.ts';

export const START = new Date('2026-03-10T10:00:00Z');
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const PRO = 'price_pro_monthly';
export const ELITE = 'price_elite_monthly';
export const PRO_YEARLY = 'price_pro_yearly';
export const PRO_WEEKLY = 'price_pro_weekly';
export const ELITE_WEEKLY = 'price_elite_weekly';
export const ELITE_YEARLY = 'price_elite_yearly';

/** A card that is accepted in the sandbox. */
export const PAID = {
  cardNumber: '4242 4242 4242 4242',
  name: 'Ann Lee',
  billingAddress: '1 Mill Lane',
};

/** The plan calls of the app. */
export function buyerOf({ client, baseUrl, token }: SignedInUser) {
  return {
    begin: async (priceId: string): Promise<string> =>
      (await client.call(createSubscription, { body: { priceId } })).data.clientSecret,
    /** The preview of choosing a plan. */
    preview: async (priceId: string) =>
      (await client.call(previewPlan, { query: { priceId } })).data,
    /** @param asOf The time for which the amount was shown. */
    upgrade: (priceId: string, asOf?: string) =>
      client.call(updatePlan, { body: { priceId, ...(asOf && { asOf }) } }),
    cancel: () => client.call(cancelSubscription, { body: {} }),
    resume: () => client.call(resumeSubscription, { body: {} }),
    metrics: async () => (await client.call(getMetrics, {})).data,
    paid: async (sessionId: string): Promise<string> =>
      (await client.call(getSessionDetails, { query: { session_id: sessionId } })).data
        .paymentStatus,
    invoices: async () => (await client.call(listInvoices, { query: {} })).data,
    /** Name, state and end of the plan. */
    plan: async () => {
      const [record] = (await client.call(getBilling, {})).data;
      return [record?.productName, record?.status, record?.renewsOn?.slice(0, 10) ?? null];
    },
    billing: async () => (await client.call(getBilling, {})).data[0],
    pay: (clientSecret: string, card: Record<string, string>) =>
      fetch(`${baseUrl}/sandbox/checkout/${clientSecret}/pay`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ cardNumber: '', expiry: '12/34', cvc: '123', ...card }),
      }).then(async (response) => ({
        status: response.status,
        body: (await response.json()) as { message: string; data?: { paymentStatus: string } },
      })),
  };
}

export type Buyer = ReturnType<typeof buyerOf>;

/** The app for all tests of a suite, paid through a server with Stripe's API. */
export function useStripeApp(options: TestAppOptions = {}): {
  stripe: StripeServer;
  engram: TestApp;
  newBuyer: () => Promise<Buyer & SignedInUser>;
  /** Advances the clock, in milliseconds, and signs the user in again because the session has ended. */
  later: (ms: number, user: SignedInUser) => Promise<Buyer & SignedInUser>;
} {
  const built: { stripe?: StripeServer; engram?: TestApp } = {};
  let userCount = 0;
  beforeAll(async () => {
    const now = (): Date => built.engram?.deps.now() ?? START;
    built.stripe = await startStripeServer({ now });
    const env = { ...built.stripe.env, ...options.env };
    built.engram = await buildTestApp({ startAt: START, ...options, env });
  });
  afterAll(async () => {
    await built.engram?.close();
    await built.stripe?.close();
  });
  const required = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The app exists from the first hook of the suite on.');
    return value;
  };
  return {
    get stripe() {
      return required(built.stripe);
    },
    get engram() {
      return required(built.engram);
    },
    async newBuyer() {
      userCount += 1;
      const user = await required(built.engram).signIn(`buyer${userCount}@example.org`);
      return { ...user, ...buyerOf(user) };
    },
    async later(ms, { email }) {
      required(built.engram).advance(ms);
      const user = await required(built.engram).signIn(email);
      return { ...user, ...buyerOf(user) };
    },
  };
}
