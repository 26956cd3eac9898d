import type { BillingPeriod } from '@engram/contract';
import { expect, test } from 'vitest';
import type { Change, PaymentProvider, SoldPlan, SubscriptionState } from '../provider.ts';

/** A payment provider with the controls that its tests need. */
export interface ProviderFixture {
  provider: PaymentProvider;
  userId: string;
  /** Pays a checkout as its buyer does. Fails or does nothing if it is not open. */
  pay: (checkoutId: string, plan: SoldPlan) => Promise<unknown>;
  now: () => Date;
  /** Ends the period of a subscription and begins the next one, if the provider does not. */
  startNextPeriod: (subscription: string) => void;
  advance: (ms: number) => void;
}

const DAY_MS = 86_400_000;

const planOf = (tier: string, billingPeriod: BillingPeriod, amount: number): SoldPlan => ({
  name: `Engram - ${tier} - ${billingPeriod}`,
  priceId: `price_${tier.toLowerCase()}_${billingPeriod}`,
  amount,
  billingPeriod,
});

export const PLANS = {
  pro: planOf('Pro', 'monthly', 500),
  elite: planOf('Elite', 'monthly', 1000),
  yearly: planOf('Pro', 'yearly', 4800),
  weekly: planOf('Pro', 'weekly', 150),
};

/** The tests that every provider must pass. */
export function testProvider(fixture: ProviderFixture): void {
  const { pay, advance, now } = fixture;
  const changeNow = (plan: SoldPlan): Change => ({ plan, begins: 'now', asOf: now(), card: null });
  const changeAtEnd = (plan: SoldPlan): Change => ({ ...changeNow(plan), begins: 'at the end' });
  const openCheckout = (changes: string | null = null) =>
    fixture.provider.openCheckout({
      userId: fixture.userId,
      email: 'ann@example.org',
      customer: null,
      plan: PLANS.pro,
      changes,
      returnUrl: 'http://127.0.0.1:3000/message?session_id={CHECKOUT_SESSION_ID}',
    });
  const buy = async (): Promise<string> => {
    const { id } = await openCheckout();
    await pay(id, PLANS.pro);
    return (await fixture.provider.readCheckout(id))?.subscription ?? '';
  };
  const stateOf = async (id: string): Promise<SubscriptionState> => {
    const state = await fixture.provider.readSubscription(id);
    if (!state) throw new Error('There is no such subscription.');
    return state;
  };
  const noInvoices = new Set<string>();
  const amountsOf = async (id: string, known: ReadonlySet<string> = noInvoices) =>
    (await fixture.provider.newInvoices(id, known))
      .map(({ amount }) => amount)
      .toSorted((a, b) => a - b);

  test('a checkout is open until it is paid, and then has the subscription', async () => {
    const { id, clientSecret, expiresAt } = await openCheckout();
    expect(clientSecret.length).toBeGreaterThan(id.length + 16);
    expect(expiresAt.getTime() - now().getTime()).toBeGreaterThan(DAY_MS - 2000);
    expect(await fixture.provider.readCheckout(id)).toEqual({
      status: 'open',
      subscription: null,
      card: null,
    });
    await pay(id, PLANS.pro);
    const state = await fixture.provider.readCheckout(id);
    expect(state?.status).toBe('paid');
    expect(await stateOf(state?.subscription ?? '')).toMatchObject({
      userId: fixture.userId,
      priceId: 'price_pro_monthly',
      status: 'active',
      billingAddress: expect.stringContaining('1 Harbour Street'),
    });
  });

  test('a closed checkout cannot be paid, and a paid one cannot be closed', async () => {
    const { closeCheckout, readCheckout } = fixture.provider;
    const { id } = await openCheckout();
    const closed = { status: 'expired', subscription: null, card: null };
    for (let round = 0; round < 2; round += 1) expect(await closeCheckout(id)).toEqual(closed);
    await Promise.allSettled([pay(id, PLANS.pro)]);
    expect(await readCheckout(id)).toEqual(closed);
    const { id: other } = await openCheckout();
    await pay(other, PLANS.pro);
    const state = await readCheckout(other);
    expect(state?.status).toBe('paid');
    expect(await closeCheckout(other)).toEqual(state);
    expect(await stateOf(state?.subscription ?? '')).toMatchObject({ status: 'active' });
    expect(await closeCheckout('cs_x')).toBeNull();
  });

  test('each payment is reported once', async () => {
    const id = await buy();
    const [invoice] = await fixture.provider.newInvoices(id, noInvoices);
    expect(invoice).toMatchObject({ amount: 500, priceId: 'price_pro_monthly' });
    expect(await amountsOf(id, new Set([invoice?.providerInvoice ?? '']))).toEqual([]);
  });

  test('another plan with the same period costs the difference for the remaining time', async () => {
    const id = await buy();
    const { startedAt, endsAt } = await stateOf(id);
    const days = (endsAt.getTime() - startedAt.getTime()) / DAY_MS;
    advance(10 * DAY_MS);
    await fixture.provider.changePlan(id, changeNow(PLANS.elite));
    expect(await stateOf(id)).toMatchObject({ priceId: 'price_elite_monthly', endsAt });
    const [difference = 0, first] = await amountsOf(id);
    expect(first).toBe(500);
    expect(difference).toBeCloseTo((500 * (days - 10)) / days, -1);
  });

  test('a plan with another period begins immediately, and the remaining time is credited', async () => {
    const id = await buy();
    await fixture.provider.changePlan(id, changeNow(PLANS.yearly));
    const { endsAt } = await stateOf(id);
    expect((endsAt.getTime() - now().getTime()) / DAY_MS).toBeCloseTo(365, 0);
    const [, change = 0] = await amountsOf(id);
    expect(change).toBeCloseTo(4300, -1);
  });

  test('a cheaper plan charges nothing, and the difference is credited to the next change', async () => {
    const id = await buy();
    await fixture.provider.changePlan(id, changeNow(PLANS.elite));
    await fixture.provider.changePlan(id, changeNow(PLANS.pro));
    await fixture.provider.changePlan(id, changeNow(PLANS.elite));
    const paid = await amountsOf(id);
    expect(paid.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(1000, -1);
  });

  test('an immediate change charges the quoted price', async () => {
    const id = await buy();
    advance(DAY_MS);
    const asOf = now();
    for (const plan of [PLANS.elite, PLANS.yearly]) {
      const known = new Set(
        (await fixture.provider.newInvoices(id, noInvoices)).map(
          (invoice) => invoice.providerInvoice,
        ),
      );
      const quoted = await fixture.provider.quote(id, plan, asOf);
      expect(quoted.due).toBe(quoted.price - quoted.credited);
      expect(quoted.credited).toBeGreaterThan(0);
      advance(60_000);
      await fixture.provider.changePlan(id, { ...changeNow(plan), asOf });
      expect(await amountsOf(id, known)).toEqual([quoted.due]);
    }
  });

  test('the unused value of an expensive plan stays in the balance after the subscription ends', async () => {
    const id = await buy();
    await fixture.provider.changePlan(id, changeNow(PLANS.yearly));
    const before = (await stateOf(id)).balance;
    const quoted = await fixture.provider.quote(id, PLANS.elite, now());
    await fixture.provider.changePlan(id, changeNow(PLANS.elite));
    expect(quoted.due).toBe(0);
    expect((await stateOf(id)).balance - before).toBeCloseTo(4800 - 1000, -1);
    await fixture.provider.clear({ subscription: id });
    const second = await buy();
    expect(await amountsOf(second)).toEqual([0]);
    expect((await stateOf(second)).balance).toBeCloseTo(before + 4800 - 500, -1);
  });

  test('a scheduled change can be undone, replaced or cancelled until the period ends', async () => {
    const id = await buy();
    const { endsAt } = await stateOf(id);
    const summaryOf = async () => {
      const { status, priceId, next, endsAt: end } = await stateOf(id);
      return [status, priceId, next?.priceId ?? null, end];
    };
    const { changePlan, resume, cancel } = fixture.provider;
    const pro = PLANS.pro.priceId;
    const { weekly, yearly } = PLANS;
    for (let round = 0; round < 2; round += 1) {
      await changePlan(id, changeAtEnd(weekly));
      expect(await summaryOf()).toEqual(['active', pro, weekly.priceId, endsAt]);
    }
    await changePlan(id, changeAtEnd(yearly));
    expect(await summaryOf()).toEqual(['active', pro, yearly.priceId, endsAt]);
    await resume(id, null);
    expect(await summaryOf()).toEqual(['active', pro, null, endsAt]);
    await changePlan(id, changeAtEnd(weekly));
    await cancel(id);
    expect(await summaryOf()).toEqual(['cancelled', pro, null, endsAt]);
    await changePlan(id, changeAtEnd(weekly));
    expect(await summaryOf()).toEqual(['active', pro, weekly.priceId, endsAt]);
    await cancel(id);
    await resume(id, null);
    expect(await summaryOf()).toEqual(['active', pro, null, endsAt]);
    expect(await amountsOf(id)).toHaveLength(1);
  });

  test('a scheduled plan begins at the end of the period, and is charged then', async () => {
    const id = await buy();
    await fixture.provider.changePlan(id, changeAtEnd(PLANS.weekly));
    const { endsAt } = await stateOf(id);
    advance(endsAt.getTime() - now().getTime() + 1000);
    fixture.startNextPeriod(id);
    const state = await stateOf(id);
    expect(state).toMatchObject({ status: 'active', priceId: PLANS.weekly.priceId, next: null });
    expect(state.endsAt.getTime() - endsAt.getTime()).toBe(7 * DAY_MS);
    expect(await amountsOf(id)).toHaveLength(2);
  });

  test('an immediate change of a cancelled plan charges the difference, and the plan continues', async () => {
    const id = await buy();
    await fixture.provider.cancel(id);
    await fixture.provider.changePlan(id, changeNow(PLANS.elite));
    expect(await stateOf(id)).toMatchObject({ status: 'active', priceId: PLANS.elite.priceId });
    expect(await amountsOf(id)).toHaveLength(2);
  });

  test('a checkout for a change stores a card and charges nothing', async () => {
    const id = await buy();
    const paid = await amountsOf(id);
    const { id: checkout } = await openCheckout(id);
    await pay(checkout, PLANS.pro);
    const state = await fixture.provider.readCheckout(checkout);
    expect(state).toEqual({ status: 'paid', subscription: id, card: expect.any(String) });
    expect(await amountsOf(id)).toEqual(paid);
  });

  test('a cancelled plan runs to its end, and cancelling it again changes nothing', async () => {
    const id = await buy();
    const { endsAt } = await stateOf(id);
    await fixture.provider.cancel(id);
    await fixture.provider.cancel(id);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', endsAt });
  });

  test('a cleared subscription ends immediately, and an ended or unknown one is skipped', async () => {
    const id = await buy();
    const { id: open } = await openCheckout();
    for (let round = 0; round < 2; round += 1) {
      await fixture.provider.clear({ subscription: id, checkouts: [open] });
    }
    const state = await stateOf(id);
    expect(state.status).toBe('cancelled');
    expect(state.endsAt.getTime()).toBeLessThanOrEqual(now().getTime());
    await fixture.provider.clear({
      subscription: 'sub_x',
      checkouts: ['cs_x'],
      customer: 'cus_x',
    });
    expect(await fixture.provider.readSubscription('sub_x')).toBeNull();
  });
}
