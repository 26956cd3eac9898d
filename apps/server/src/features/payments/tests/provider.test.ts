import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  SECRET_KEY,
  type StripeServer,
  startStripeServer,
  WEBHOOK_SECRET,
} from '../../../tests/stripe-server.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { START } from '../../../tests/buyers.test-setup.ts';
import { PLANS, type ProviderFixture, testProvider } from './provider-suite.test-setup.ts';
import { createPaymentsRepository } from '../payments.repository.ts';
import {
  type Change,
  type OpenedCheckout,
  type Order,
  PaymentDeclined,
  ProviderDown,
  type SoldPlan,
} from '../provider.ts';
import { createSandboxProvider, periodEnd } from '../sandbox-provider.ts';
import { createStripeProvider } from '../stripe-provider.ts';

describe('the sandbox', () => {
  const engram = useTestApp({ startAt: START });
  const fixture: Partial<ProviderFixture> = {
    now: () => engram.deps.now(),
    advance: (ms) => engram.advance(ms),
  };

  beforeAll(async () => {
    const sandbox = createSandboxProvider(
      engram.deps.database,
      () => engram.deps.now(),
      // Uses the transaction of its caller, as the table of plans does.
      async (id, executor = engram.deps.database.db) => {
        await executor.execute(sql`SELECT 1`);
        return Object.values(PLANS).find(({ priceId }) => priceId === id);
      },
    );
    const { userId } = await engram.signIn('ann@example.org');
    const billingAddress = '1 Harbour Street';
    const { insertCheckout } = createPaymentsRepository(engram.deps.database);
    const openCheckout = async (order: Order): Promise<OpenedCheckout> => {
      const opened = await sandbox.openCheckout(order);
      const { id, secretHash, expiresAt } = opened;
      const { changes, plan } = order;
      const now = engram.deps.now();
      const { priceId } = plan;
      const row = {
        id,
        userId,
        priceId,
        changes,
        secretHash,
        expiresAt,
        createdAt: now,
        nextPollAt: now,
      };
      await insertCheckout({ ...row, provider: 'sandbox', status: 'open' });
      return opened;
    };
    Object.assign(fixture, {
      userId,
      // Stores each checkout, as the server does.
      provider: { ...sandbox, openCheckout },
      pay: (checkoutId: string) =>
        sandbox.pay({ checkoutId, userId, plan: PLANS.pro, billingAddress }),
    });
  });

  test('of two checkouts that are paid at the same time, only one succeeds', async () => {
    const { provider, userId, pay } = fixture as ProviderFixture;
    const order = {
      userId,
      email: '',
      customer: null,
      plan: PLANS.pro,
      changes: null,
      returnUrl: '',
    };
    const both = [await provider.openCheckout(order), await provider.openCheckout(order)];
    const paid = await Promise.all(both.map(({ id }) => pay(id, PLANS.pro)));
    expect(paid.toSorted()).toEqual([false, true]);
    const states = await Promise.all(both.map(({ id }) => provider.readCheckout(id)));
    expect(states.map((state) => state?.status).toSorted()).toEqual(['expired', 'paid']);
  });

  testProvider({
    get provider() {
      return (fixture as ProviderFixture).provider;
    },
    get userId() {
      return fixture.userId ?? '';
    },
    now: () => engram.deps.now(),
    advance: (ms) => engram.advance(ms),
    startNextPeriod: () => undefined,
    pay: async (id, plan) => fixture.pay?.(id, plan),
  });

  test.each([
    ['2026-01-31T10:00:00Z', 'monthly', '2026-02-28T10:00:00.000Z'],
    ['2026-11-30T10:00:00Z', 'quarterly', '2027-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00Z', 'yearly', '2029-02-28T10:00:00.000Z'],
    ['2026-12-30T10:00:00Z', 'weekly', '2027-01-06T10:00:00.000Z'],
  ] as const)('a period that begins at %s and is %s ends at %s', (start, period, end) => {
    expect(periodEnd(new Date(start), period).toISOString()).toBe(end);
  });
});

describe('Stripe', () => {
  let stripe: StripeServer;
  let time = START.getTime();
  const now = (): Date => new Date(time);
  const userId = crypto.randomUUID();
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const connect = (settings = {}) =>
    createStripeProvider({
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      apiBase: stripe.url,
      log,
      now,
      isKnownPrice: async (id) => Object.values(PLANS).some(({ priceId }) => priceId === id),
      ...settings,
    });
  const order = {
    userId,
    email: 'bob@example.org',
    customer: null,
    plan: PLANS.pro,
    changes: null,
    returnUrl: 'http://127.0.0.1:3000/message',
  };

  const immediately = (plan: SoldPlan): Change => ({
    plan,
    begins: 'now',
    asOf: now(),
    card: null,
  });

  beforeAll(async () => {
    stripe = await startStripeServer({ now });
  });
  beforeEach(() => stripe.behave({ kind: 'work' }));
  afterAll(() => stripe.close());

  testProvider({
    get provider() {
      return connect();
    },
    userId,
    now,
    advance: (ms) => void (time += ms),
    startNextPeriod: (id) => void stripe.world.nextPeriod(id),
    pay: async (id) => stripe.world.pay(id),
  });

  test('is reported as down if it hangs, fails or rejects the key, and no secret is logged', async () => {
    const impatient = connect({ timeoutMs: 150, retries: 0 });
    for (const behavior of [
      { kind: 'hang' },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 429 },
      { kind: 'cut' },
    ] as const) {
      stripe.behave(behavior);
      await expect(impatient.openCheckout(order)).rejects.toThrow(ProviderDown);
    }
    stripe.behave({ kind: 'work' });
    const locked = connect({ secretKey: 'sk_test_forgotten', retries: 0 });
    await expect(locked.openCheckout(order)).rejects.toThrow(ProviderDown);
    expect(lines).toHaveLength(5);
    const logged = lines.join('');
    for (const secret of [SECRET_KEY, 'sk_test_forgotten', order.email, userId]) {
      expect(logged).not.toContain(secret);
    }
  });

  test('gets a request again with the same key if its response was lost, and sells once', async () => {
    const before = stripe.world.sessions.size;
    const work = { kind: 'work' } as const;
    // The price, the customers, the new customer, then the checkout.
    stripe.behave(work, work, work, { kind: 'cut', after: true }, work);
    const { id } = await connect().openCheckout({ ...order, email: 'carol@example.org' });
    expect([...stripe.world.sessions.keys()].at(-1)).toBe(id);
    expect(stripe.world.sessions.size).toBe(before + 1);
    const keys = stripe.requests.slice(-2).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toBeTruthy();
    expect(keys[0]).toBe(keys[1]);
  });

  test('accepts the lookup keys of prices', async () => {
    const { prices } = stripe.world;
    const key = PLANS.pro.priceId;
    const price = stripe.world.find('price', prices, key);
    prices.delete(key);
    prices.set('price_1Real', { ...price, id: 'price_1Real', lookup_key: key });
    const provider = connect();
    const { id } = await provider.openCheckout(order);
    stripe.world.pay(id);
    const subscription = (await provider.readCheckout(id))?.subscription ?? '';
    expect((await provider.readSubscription(subscription))?.priceId).toBe(key);
    expect(await provider.newInvoices(subscription, new Set())).toMatchObject([{ priceId: key }]);
    await provider.changePlan(subscription, immediately(PLANS.elite));
    await provider.changePlan(subscription, immediately(PLANS.pro));
    expect((await provider.readSubscription(subscription))?.priceId).toBe(key);
    prices.delete('price_1Real');
    prices.set(key, price);
  });

  test('reports a declined card as such, and refuses a price that differs from the shown one', async () => {
    const provider = connect();
    const { id } = await provider.openCheckout(order);
    stripe.world.pay(id);
    const subscription = (await provider.readCheckout(id))?.subscription ?? '';
    stripe.world.decline(true);
    await expect(provider.changePlan(subscription, immediately(PLANS.elite))).rejects.toThrow(
      PaymentDeclined,
    );
    stripe.world.decline(false);
    const wrong = [
      { ...PLANS.elite, amount: 999 },
      { ...PLANS.elite, billingPeriod: 'weekly' as const },
      { ...PLANS.elite, priceId: 'price_missing' },
    ];
    for (const plan of wrong) {
      await expect(provider.changePlan(subscription, immediately(plan))).rejects.toMatchObject({
        code: 'price_not_sold',
      });
    }
    expect((await provider.readSubscription(subscription))?.priceId).toBe(PLANS.pro.priceId);
  });
});
