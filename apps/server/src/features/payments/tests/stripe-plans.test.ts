import {
  createCheckoutSession,
  createSubscription,
  deleteAccount,
  getSandboxCheckout,
  status,
} from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { retryNow } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import { findWords } from '../../../tests/find-words.test-setup.ts';
import type { FakeEvent } from '../../../tests/stripe-objects.test-setup.ts';
import { SECRET_KEY } from '../../../tests/stripe-server.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import {
  type Buyer,
  DAY,
  ELITE,
  HOUR,
  PRO,
  ELITE_YEARLY,
  PRO_YEARLY,
  useStripeApp,
} from '../../../tests/buyers.test-setup.ts';
import { hashSecret } from '../sandbox-provider.ts';

const DOWN = 'The payment provider cannot be reached right now. Please try again in a few minutes.';

describe.each(testDatabases)('plans paid through Stripe (%s)', (database) => {
  const app = useStripeApp({ database });
  let ann: Buyer & SignedInUser;

  beforeEach(async () => {
    app.stripe.behave({ kind: 'work' });
    app.stripe.world.decline(false);
    ann = await app.newBuyer();
  });

  const subscriptionsOf = () => {
    const subscriptions = [...app.stripe.world.subscriptions.values()];
    return subscriptions.filter(({ metadata }) => metadata['engram_user'] === ann.userId);
  };
  const buy = async (priceId = PRO): Promise<string> => {
    await ann.begin(priceId);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session);
    expect(await ann.paid(session)).toBe('paid');
    return subscriptionsOf().at(-1)?.id ?? '';
  };
  /** Two checkouts that can both be paid, as if the call that closes the first had been lost. */
  const beginBoth = async (): Promise<[first: string, second: string]> => {
    await ann.begin(PRO);
    const first = app.stripe.lastSession();
    await ann.begin(ELITE);
    app.stripe.world.find('session', app.stripe.world.sessions, first).status = 'open';
    const reopen = `UPDATE checkouts SET status = 'open' WHERE id = $1`;
    await app.engram.deps.database.pool.query(reopen, [first]);
    return [first, app.stripe.lastSession()];
  };
  const planName = async () => (await ann.plan())[0];

  test('an embedded checkout is opened for one customer, and returns to the app', async () => {
    const secret = await ann.begin(PRO);
    const { data } = await ann.client.call(createCheckoutSession, { body: { priceId: ELITE } });
    const [first, second] = [...app.stripe.world.sessions.values()].slice(-2);
    expect([first?.client_secret, second?.client_secret]).toEqual([secret, data.clientSecret]);
    expect(first).toMatchObject({
      ui_mode: 'embedded_page',
      mode: 'subscription',
      return_url: `${app.engram.origin}/message?session_id={CHECKOUT_SESSION_ID}`,
      client_reference_id: ann.userId,
      customer: second?.customer,
    });
    const writes = app.stripe.requests.filter(({ method }) => method === 'POST');
    expect(writes.every(({ idempotencyKey }) => idempotencyKey)).toBe(true);
    // Neither the client secret nor the keys are stored.
    expect(await findWords(app.engram.folder, [secret, SECRET_KEY])).toEqual([]);
  });

  test('billing shows the address of the buyer, and links to Stripe’s documents', async () => {
    await buy();
    expect(await ann.billing()).toMatchObject({
      productName: 'Engram - Pro - monthly',
      amount: 5,
      billingAddress: '1 Harbour Street, 20457 Hamburg, DE',
    });
    const [invoice] = await ann.invoices();
    const last = app.stripe.world.invoices.at(-1);
    expect(invoice).toMatchObject({
      invoiceNo: last?.number,
      plan: 'Engram - Pro - monthly',
      amount: 5,
      invoicePdf: last?.invoice_pdf,
      receiptUrl: expect.stringContaining(`${app.stripe.url}/receipts/pi_`),
    });
    if (last) last.invoice_pdf = 'https://stripe.com.evil.example/x.pdf';
    expect((await ann.invoices())[0]?.invoicePdf).toBe(invoice?.invoicePdf);
    app.stripe.behave({ kind: 'status', status: 500 });
    expect(await ann.invoices()).toEqual([invoice]);
  });

  test('a plan is not sold twice, and not at a price that differs from the shown one', async () => {
    await buy();
    for (const priceId of [PRO, ELITE]) {
      await expect(ann.begin(priceId)).rejects.toMatchObject({
        status: 409,
        message: 'You already have a paid plan. Please change or cancel it first.',
      });
    }
    const bob = await app.newBuyer();
    for (const priceId of ['price_unknown', 'price_starter_weekly']) {
      await expect(bob.begin(priceId)).rejects.toMatchObject({ status: 404 });
    }
    const price = app.stripe.world.find('price', app.stripe.world.prices, ELITE);
    price.unit_amount = 1001;
    await expect(bob.begin(ELITE)).rejects.toMatchObject({ status: 503, code: 'price_not_sold' });
    price.unit_amount = 1000;
    const body = { email: ann.email, priceId: PRO };
    await expect(bob.client.call(createSubscription, { body })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('a new checkout closes the previous one, unless that has just been paid', async () => {
    await ann.begin(PRO);
    const first = app.stripe.lastSession();
    await ann.begin(ELITE);
    const second = app.stripe.lastSession();
    expect(app.stripe.world.sessions.get(first)?.status).toBe('expired');
    expect(await ann.paid(first)).toBe('unpaid');
    const before = app.stripe.world.sessions.size;
    // The checkout is open when it is read, and paid before it can be closed.
    const work = { kind: 'work' } as const;
    const meanwhile = () => app.stripe.world.pay(second);
    app.stripe.behave(work, { ...work, meanwhile }, work);
    await expect(ann.begin(PRO)).rejects.toMatchObject({ status: 409, code: 'plan_running' });
    expect(app.stripe.world.sessions.size).toBe(before);
    expect(subscriptionsOf()).toHaveLength(1);
    expect(await planName()).toBe('Engram - Elite - monthly');
    expect(await ann.invoices()).toHaveLength(1);
  });

  test('while another server changes a plan, all other changes are refused, and an abandoned lock expires', async () => {
    await buy();
    const { pool } = app.engram.deps.database;
    const holder = crypto.randomUUID();
    await pool.query(`INSERT INTO payment_turns VALUES ($1, $2, now() + interval '1 minute')`, [
      ann.userId,
      holder,
    ]);
    const requestCount = app.stripe.requests.length;
    for (const call of [() => ann.upgrade(ELITE), () => ann.cancel(), () => ann.begin(ELITE)]) {
      await expect(call()).rejects.toMatchObject({ status: 409, code: 'plan_busy' });
    }
    expect(app.stripe.requests).toHaveLength(requestCount);
    await pool.query('UPDATE payment_turns SET ends_at = now() WHERE holder = $1', [holder]);
    await ann.upgrade(ELITE);
    expect(await planName()).toBe('Engram - Elite - monthly');
    expect((await pool.query('SELECT * FROM payment_turns')).rows).toEqual([]);
  });

  test.each([
    ['both are reported', true],
    ['one is reported', false],
  ])(
    'of two paid checkouts, of which %s, one gives a plan and the other is credited',
    async (_, areBothReported) => {
      const [first, second] = await beginBoth();
      app.stripe.world.pay(first);
      app.engram.advance(HOUR);
      app.stripe.world.pay(second);
      const reports = [ann.paid(second), ...(areBothReported ? [ann.paid(first)] : [])];
      expect(new Set(await Promise.all(reports))).toEqual(new Set(['paid']));
      await app.engram.settled();
      const states = subscriptionsOf().map(({ status: state }) => state);
      expect(states).toEqual(['canceled', 'active']);
      expect(await planName()).toBe('Engram - Elite - monthly');
      expect(await ann.invoices()).toHaveLength(2);
      const customer = [...app.stripe.world.customers.values()].find(
        ({ email }) => email === ann.email,
      );
      expect(customer?.balance).toBeLessThan(-490);
    },
  );

  test('an open checkout cannot be paid once the user has a plan', async () => {
    const [open, second] = await beginBoth();
    app.stripe.world.pay(second);
    expect(await ann.paid(second)).toBe('paid');
    await app.engram.settled();
    expect(app.stripe.world.sessions.get(open)?.status).toBe('expired');
    expect(await ann.paid(open)).toBe('unpaid');
  });

  test('an upgrade takes effect immediately for the difference, and a declined one changes nothing', async () => {
    await buy();
    const [, , end] = await ann.plan();
    ann = await app.later(15 * DAY, ann);
    app.stripe.world.decline(true);
    await expect(ann.upgrade(ELITE)).rejects.toMatchObject({
      status: 402,
      message:
        'The payment was declined, and your plan has not changed. Please ask your bank or use another card.',
    });
    expect(await planName()).toBe('Engram - Pro - monthly');
    app.stripe.world.decline(false);
    expect((await ann.upgrade(ELITE)).data).toEqual({ clientSecret: null });
    expect(await ann.plan()).toEqual(['Engram - Elite - monthly', 'ACTIVE', end]);
    const amounts = (await ann.invoices()).map(({ amount }) => amount);
    expect(amounts[0]).toBeCloseTo(2.58, 1);
    await expect(ann.upgrade(ELITE)).rejects.toMatchObject({ status: 409, code: 'same_plan' });
    await ann.upgrade(ELITE_YEARLY);
    expect((await ann.plan())[0]).toBe('Engram - Elite - yearly');
  });

  test('two concurrent upgrades are charged once', async () => {
    await buy();
    const both = await Promise.allSettled([ann.upgrade(ELITE), ann.upgrade(ELITE)]);
    expect(both.map(({ status: state }) => state).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await ann.invoices()).toHaveLength(2);
  });

  test('a cancelled plan runs to its end and can be bought again without paying twice', async () => {
    const first = await buy();
    expect(await ann.cancel()).toMatchObject({ message: 'Cancelled successfully', data: null });
    expect((await ann.plan())[1]).toBe('CANCELLED');
    await expect(ann.cancel()).rejects.toMatchObject({ status: 409, code: 'no_plan_running' });
    expect(await buy(ELITE)).toBe(first);
    await app.engram.settled();
    expect(subscriptionsOf()).toHaveLength(1);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Elite - monthly', 'ACTIVE']);
    expect((await ann.invoices()).map(({ amount }) => amount)).toEqual([5, 5]);
    await ann.cancel();
    ann = await app.later(32 * DAY, ann);
    app.stripe.world.nextPeriod(first);
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    await expect(ann.cancel()).rejects.toMatchObject({ status: 409 });
  });

  test('a paid renewal that was not reported is detected, and an unpaid one expires the plan', async () => {
    const id = await buy();
    ann = await app.later(32 * DAY, ann);
    expect((await ann.plan())[1]).toBe('EXPIRED');
    app.stripe.world.nextPeriod(id);
    await app.engram.deps.services.payments.reconcile();
    expect((await ann.plan())[1]).toBe('ACTIVE');
    expect(await ann.invoices()).toHaveLength(2);
    ann = await app.later(32 * DAY, ann);
    app.stripe.world.decline(true);
    app.stripe.world.nextPeriod(id);
    const [event] = app.stripe.world.events.slice(-1) as [FakeEvent];
    expect(await app.stripe.send(app.engram.baseUrl, event)).toBe(200);
    expect((await ann.plan())[1]).toBe('EXPIRED');
    app.stripe.world.decline(false);
    const second = await buy();
    expect((await ann.plan())[1]).toBe('ACTIVE');
    expect(second).not.toBe(id);
    // Otherwise Stripe would retry the payment of the unpaid period.
    await app.engram.settled();
    expect(app.stripe.world.subscriptions.get(id)?.status).toBe('canceled');
  });

  test('while Stripe is down nothing changes, and a call without a response is repeated', async () => {
    await buy();
    app.stripe.behave({ kind: 'status', status: 503 });
    for (const call of [() => ann.upgrade(ELITE), () => ann.cancel()]) {
      await expect(call()).rejects.toMatchObject({ status: 503, message: DOWN });
    }
    app.stripe.behave({ kind: 'work' });
    await app.engram.settled();
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Pro - monthly', 'ACTIVE']);
    // The calls for the price and the subscription succeed, and the response to the change is lost once.
    const work = { kind: 'work' } as const;
    app.stripe.behave(work, work, { kind: 'cut', after: true }, work);
    await ann.upgrade(ELITE);
    expect((await ann.plan())[0]).toBe('Engram - Elite - monthly');
    expect(await ann.invoices()).toHaveLength(2);
  });

  test('a deleted account is not charged again, even if Stripe is down during the deletion', async () => {
    const id = await buy();
    const { customer } = app.stripe.world.find('subscription', app.stripe.world.subscriptions, id);
    app.stripe.behave({ kind: 'status', status: 500 });
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    expect(app.stripe.world.customers.has(customer)).toBe(true);
    app.stripe.behave({ kind: 'work' });
    await expect
      .poll(async () => {
        await retryNow(app.engram.deps, 'clear-payments', ann.userId);
        return app.stripe.world.customers.has(customer);
      })
      .toBe(false);
    expect(app.stripe.world.subscriptions.get(id)?.status).toBe('canceled');
    await app.engram.settled();
  });

  test('a subscription that was paid before its account was deleted is ended', async () => {
    await ann.begin(PRO);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session);
    const [subscription] = subscriptionsOf();
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    await app.engram.settled();
    expect(subscription?.status).toBe('canceled');
    expect([...app.stripe.world.customers.values()].map(({ email }) => email)).not.toContain(
      ann.email,
    );
  });

  test('checkouts of the sandbox cannot be paid, and plans that were bought in it have no effect', async () => {
    const { pool } = app.engram.deps.database;
    const bob = await app.newBuyer();
    const [now, end] = [app.engram.deps.now(), new Date(app.engram.deps.now().getTime() + DAY)];
    await pool.query(
      `INSERT INTO checkouts VALUES ('cs_open', $1, 'sandbox', $2, $3, 'open', $4, $5)`,
      [bob.userId, PRO_YEARLY, hashSecret('secret'), now, end],
    );
    expect((await bob.pay('secret', { cardNumber: '4242 4242 4242 4242' })).status).toBe(404);
    const params = { clientSecret: 'secret' };
    await expect(bob.client.call(getSandboxCheckout, { params })).rejects.toMatchObject({
      status: 404,
    });

    await pool.query(
      `UPDATE subscriptions SET plan = 'Engram - Elite - yearly', status = 'Active', ends_at = $2,
         provider = 'sandbox', provider_customer = 'x', provider_subscription = 'sub_old',
         reported_at = $3, balance = 700 WHERE user_id = $1`,
      [ann.userId, end, now],
    );
    expect(await ann.billing()).toMatchObject({
      productName: 'Starter(Free)',
      status: 'ACTIVE',
      renewsOn: null,
      balance: 0,
      sandboxPlan: 'Engram - Elite - yearly',
    });
    expect(await ann.metrics()).toMatchObject({ daily_query_limit: 15 });
    for (const call of [() => ann.upgrade(PRO), () => ann.cancel(), () => ann.resume()]) {
      await expect(call()).rejects.toMatchObject({ status: 409, code: 'no_plan_running' });
    }
    expect(await ann.preview(PRO)).toMatchObject({ kind: 'new', dueToday: 5 });
    await buy(PRO);
    expect(await ann.billing()).toMatchObject({
      productName: 'Engram - Pro - monthly',
      sandboxPlan: null,
    });
    expect(await ann.metrics()).toMatchObject({ daily_query_limit: 25 });
  });

  test('the status names Stripe, and the policy of every page allows it', async () => {
    const { data } = await ann.client.call(status, {});
    expect(data.abilities).toContainEqual({
      name: 'payments',
      on: true,
      detail: 'Plans are paid through Stripe.',
    });
    for (const path of ['/', '/v1/health']) {
      const policy = (await fetch(app.engram.origin + path)).headers.get('content-security-policy');
      expect(policy).toContain(
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com https://checkout.stripe.com;",
      );
      for (const directive of ['connect-src', 'frame-src']) {
        expect(policy).toContain(`${directive} 'self' https://*.stripe.com`);
      }
    }
  });
});
