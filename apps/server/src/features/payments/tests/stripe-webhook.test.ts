import { deleteAccount } from '@engram/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { retryNow } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import type { FakeEvent } from '../../../tests/stripe-objects.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { type Buyer, DAY, HOUR, PRO, useStripeApp } from '../../../tests/buyers.test-setup.ts';

describe.each(testDatabases)("a payment with Stripe's events (%s)", (database) => {
  const app = useStripeApp({ database });
  let ann: Buyer & SignedInUser;
  const send = (event: FakeEvent, options = {}) =>
    app.stripe.send(app.engram.baseUrl, event, options);
  const receipts = () =>
    app.engram.mails.filter(({ to, text }) => to === ann.email && text.includes('Your receipt'));
  const expectOnePurchase = async () => {
    expect(await ann.plan()).toEqual(['Engram - Pro - monthly', 'ACTIVE', expect.any(String)]);
    expect(await ann.invoices()).toHaveLength(1);
    await app.engram.settled();
    expect(receipts()).toHaveLength(1);
  };
  /** Pays a checkout of a new user, whose events are not sent yet. */
  const pay = async () => {
    await ann.begin(PRO);
    const session = app.stripe.lastSession();
    return { session, events: app.stripe.world.pay(session) };
  };

  beforeEach(async () => {
    ann = await app.newBuyer();
  });

  test('is recorded once if they arrive before the buyer returns', async () => {
    const { session, events } = await pay();
    for (const event of events) expect(await send(event)).toBe(200);
    await expectOnePurchase();
    expect(await ann.paid(session)).toBe('paid');
    await expectOnePurchase();
  });

  test('is recorded once if they arrive after the buyer has returned', async () => {
    const { session, events } = await pay();
    expect(await ann.paid(session)).toBe('paid');
    await expectOnePurchase();
    for (const event of events) expect(await send(event)).toBe(200);
    await expectOnePurchase();
  });

  test('is recorded once if they arrive twice, in the wrong order and concurrently', async () => {
    const { events } = await pay();
    for (const event of [...events, ...events].toReversed()) expect(await send(event)).toBe(200);
    const statuses = await Promise.all(
      events.map((event) => send({ ...event, id: `${event.id}x` })),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await expectOnePurchase();
  });

  test('is detected even if they never arrive', async () => {
    const { session } = await pay();
    await app.engram.deps.services.payments.reconcile();
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    app.engram.advance(HOUR);
    await app.engram.deps.services.payments.reconcile();
    await expectOnePurchase();
    expect(await ann.paid(session)).toBe('paid');
  });

  test('is detected even if the money arrives days later', async () => {
    await ann.begin(PRO);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session, { delayed: true });
    const { reconcile } = app.engram.deps.services.payments;
    app.engram.advance(HOUR);
    await reconcile();
    // Stripe activates the plan before the payment arrives.
    expect((await ann.plan())[1]).toBe('ACTIVE');
    expect(await ann.invoices()).toEqual([]);
    await expect(ann.begin(PRO)).rejects.toMatchObject({ status: 409, code: 'plan_running' });
    app.engram.advance(4 * DAY);
    await reconcile();
    const requestCount = app.stripe.requests.length;
    await reconcile();
    expect(app.stripe.requests).toHaveLength(requestCount);
    app.stripe.world.arrive(session);
    app.engram.advance(6 * HOUR);
    await reconcile();
    await expectOnePurchase();
    expect(await ann.paid(session)).toBe('paid');
  });

  test('leaves checkouts that are deleted after 30 days, except the one that identifies the customer', async () => {
    const { pool } = app.engram.deps.database;
    const { reconcile } = app.engram.deps.services.payments;
    const storedCheckouts = async () => {
      const rows = await pool.query<{ id: string; status: string }>(
        'SELECT id, status FROM checkouts WHERE user_id = $1 ORDER BY created_at, id',
        [ann.userId],
      );
      return rows.rows.map(({ id, status }) => [id, status]);
    };
    await ann.begin(PRO);
    const first = app.stripe.lastSession();
    app.engram.advance(HOUR);
    await ann.begin(PRO);
    const last = app.stripe.lastSession();
    app.engram.advance(29 * DAY);
    await reconcile();
    expect(await storedCheckouts()).toEqual([
      [first, 'expired'],
      [last, 'expired'],
    ]);
    ann = await app.later(2 * DAY, ann);
    await reconcile();
    expect(await storedCheckouts()).toEqual([[last, 'expired']]);
    const customers = () => [...app.stripe.world.customers.values()].map(({ email }) => email);
    expect(customers()).toContain(ann.email);
    await ann.client.call(deleteAccount, { body: { email: ann.email } });
    await app.engram.settled();
    expect(customers()).not.toContain(ann.email);
  });

  test('is not recorded if the signature is wrong, expired or of other bytes', async () => {
    const { events } = await pay();
    const [event] = events.slice(-1) as [FakeEvent];
    const old = Math.floor(app.engram.deps.now().getTime() / 1000) - 301;
    const altered = JSON.stringify({ ...event, type: 'invoice.paid' }, null, 2);
    expect(await send(event, { secret: 'whsec_other' })).toBe(400);
    expect(await send(event, { timestamp: old })).toBe(400);
    expect(await send(event, { body: altered })).toBe(400);
    const unsigned = await fetch(`${app.engram.baseUrl}/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect(unsigned.status).toBe(400);
    expect(await unsigned.json()).toEqual({
      message: 'The signature of the event is not valid.',
      code: 'bad_signature',
    });
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
  });

  test('is recorded when an event that failed is sent again', async () => {
    const { events } = await pay();
    const [event] = events.slice(-1) as [FakeEvent];
    app.stripe.behave({ kind: 'status', status: 500 });
    expect(await send(event)).toBe(503);
    app.stripe.behave({ kind: 'work' });
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    expect(await send(event)).toBe(200);
    await expectOnePurchase();
  });

  test('is unaffected by events of other programs and unknown subscriptions', async () => {
    const { world } = app.stripe;
    const { events } = await pay();
    const [created] = events as [FakeEvent];
    const { id } = created.data.object as { id: string };
    const stranger = { ...created, id: 'evt_stranger', data: { object: { id: 'sub_unknown' } } };
    expect(await send(stranger)).toBe(200);
    // Another program's subscription of the same account at Stripe.
    const subscription = world.find('subscription', world.subscriptions, id);
    const { metadata } = subscription;
    subscription.metadata = {};
    expect(await send({ ...created, id: 'evt_foreign' })).toBe(200);
    subscription.metadata = { engram_user: '00000000-0000-4000-8000-000000000000' };
    expect(await send({ ...created, id: 'evt_other_server' })).toBe(200);
    subscription.metadata = metadata;
    expect(await send({ ...created, id: 'evt_odd', type: 'charge.refunded' })).toBe(200);
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    await app.engram.settled();
    expect(subscription.status).toBe('active');
  });

  test('is recorded if the mail server fails, which only delays the receipt', async () => {
    const { mails, refusedMail, deps } = app.engram;
    refusedMail.add(ann.email);
    const before = mails.length;
    const { events } = await pay();
    for (const event of events) expect(await send(event)).toBe(200);
    expect(await ann.invoices()).toHaveLength(1);
    expect(mails).toHaveLength(before);
    const { rows } = await deps.database.pool.query<{ id: string }>(
      'SELECT id FROM invoices WHERE user_id = $1',
      [ann.userId],
    );
    const retry = () => retryNow(deps, 'send-receipt', rows[0]?.id ?? '');
    await expect.poll(retry).toBe(true);
    refusedMail.delete(ann.email);
    await expect.poll(async () => [await retry(), receipts().length].at(-1)).toBe(1);
  });
});
