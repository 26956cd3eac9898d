import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  ELITE,
  PRO,
  PRO_WEEKLY,
  useStripeApp,
} from '../../../tests/buyers.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';

describe.each(testDatabases)('a plan change at Stripe that fails (%s)', (database) => {
  const app = useStripeApp({ database });
  let ann: Buyer & SignedInUser;

  beforeEach(async () => {
    app.stripe.behave({ kind: 'work' });
    app.stripe.world.decline(false);
    ann = await app.newBuyer();
  });

  const buy = async (priceId = PRO): Promise<string> => {
    await ann.begin(priceId);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session);
    expect(await ann.paid(session)).toBe('paid');
    return [...app.stripe.world.subscriptions.keys()].at(-1) ?? '';
  };

  test('keeps the scheduled plan if the upgrade is declined', async () => {
    await buy();
    await ann.upgrade(PRO_WEEKLY);
    app.stripe.world.decline(true);
    await expect(ann.upgrade(ELITE)).rejects.toMatchObject({ status: 402 });
    expect(await ann.billing()).toMatchObject({
      productName: 'Engram - Pro - monthly',
      status: 'ACTIVE',
      next: { productName: 'Engram - Pro - weekly' },
    });
  });

  test('leaves the plan cancelled if the new card is declined', async () => {
    await buy();
    await ann.cancel();
    await ann.begin(ELITE);
    const session = app.stripe.lastSession();
    app.stripe.world.pay(session);
    app.stripe.world.decline(true);
    for (let round = 0; round < 2; round += 1) {
      expect(await ann.paid(session)).toBe('unpaid');
      app.stripe.world.decline(false);
    }
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Pro - monthly', 'CANCELLED']);
    expect(await ann.invoices()).toHaveLength(1);
  });

  test('is completed at the next start if a crash interrupts a scheduled change', async () => {
    const id = await buy(ELITE);
    await ann.cancel();
    const { database: connected, services } = app.engram.deps;
    // The subscription is resumed already, but its next plan is not scheduled yet.
    app.stripe.world.change(id, {
      price: null,
      itemId: '',
      ends: false,
      card: null,
      at: undefined,
    });
    const change = { provider: 'stripe', subscription: id, nextPriceId: PRO_WEEKLY };
    const since = app.engram.deps.now().toISOString();
    await connected.pool.query(
      `INSERT INTO payment_turns VALUES ($1, gen_random_uuid(), now() + interval '3 minutes', $2)`,
      [ann.userId, { ...change, since }],
    );
    if (database === 'embedded') await services.payments.start();
    else await connected.pool.query('UPDATE payment_turns SET ends_at = now()');
    await services.payments.reconcile();
    expect(await ann.billing()).toMatchObject({
      productName: 'Engram - Elite - monthly',
      status: 'ACTIVE',
      next: { productName: 'Engram - Pro - weekly' },
    });
    expect((await connected.pool.query('SELECT * FROM payment_turns')).rows).toEqual([]);
  });

  test('is completed once Stripe works again if a scheduled change fails', async () => {
    await buy(ELITE);
    await ann.cancel();
    const work = { kind: 'work' } as const;
    const down = { kind: 'status', status: 503 } as const;
    // Calls for the plan, the price, the subscription and its renewal succeed. Then Stripe is down.
    app.stripe.behave(work, work, work, work, down);
    await expect(ann.upgrade(PRO_WEEKLY)).rejects.toMatchObject({ status: 503 });
    app.stripe.behave(work);
    await app.engram.deps.services.payments.reconcile();
    await app.engram.settled();
    expect((await ann.billing())?.next?.productName).toBe('Engram - Pro - weekly');
    await ann.resume();
    await app.engram.deps.services.payments.reconcile();
    expect(await ann.billing()).toMatchObject({ status: 'ACTIVE', next: null });
  });
});
