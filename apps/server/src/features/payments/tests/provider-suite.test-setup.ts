import type { BillingPeriod } from '@engram/contract';
import { expect, test } from 'vitest';
import type { Change, PaymentProvider, SoldPlan, SubscriptionState } from '../provider.ts';

/** What a driver is tried with. */
export interface ProviderWorkshop {
  provider: PaymentProvider;
  userId: string;
  /** Pays a checkout, as its buyer does; fails, or does nothing, where it is not open. */
  pay: (checkoutId: string, plan: SoldPlan) => Promise<unknown>;
  now: () => Date;
  /** Has a period of a subscription end, and the next one begin, where that needs to be done. */
  turnPeriod: (subscription: string) => void;
  /** Moves the clock on, in milliseconds. */
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

/** What every driver does. */
export function testProvider(workshop: ProviderWorkshop): void {
  const { pay, advance, now } = workshop;
  const atOnce = (plan: SoldPlan): Change => ({ plan, begins: 'now', asOf: now(), card: null });
  const atTheEnd = (plan: SoldPlan): Change => ({ ...atOnce(plan), begins: 'at the end' });
  const openCheckout = (changes: string | null = null) =>
    workshop.provider.openCheckout({
      userId: workshop.userId,
      email: 'ann@example.org',
      customer: null,
      plan: PLANS.pro,
      changes,
      returnUrl: 'http://127.0.0.1:3000/message?session_id={CHECKOUT_SESSION_ID}',
    });
  const buy = async (): Promise<string> => {
    const { id } = await openCheckout();
    await pay(id, PLANS.pro);
    return (await workshop.provider.readCheckout(id))?.subscription ?? '';
  };
  const stateOf = async (id: string): Promise<SubscriptionState> => {
    const state = await workshop.provider.readSubscription(id);
    if (!state) throw new Error('There is no such subscription.');
    return state;
  };
  const nothing = new Set<string>();
  const paidFor = async (id: string, known: ReadonlySet<string> = nothing) =>
    (await workshop.provider.newInvoices(id, known))
      .map(({ amount }) => amount)
      .toSorted((a, b) => a - b);

  test('a checkout is open until it is paid, and then names what was bought', async () => {
    const { id, clientSecret, expiresAt } = await openCheckout();
    expect(clientSecret.length).toBeGreaterThan(id.length + 16);
    expect(expiresAt.getTime() - now().getTime()).toBeGreaterThan(DAY_MS - 2000);
    expect(await workshop.provider.readCheckout(id)).toEqual({
      status: 'open',
      subscription: null,
      card: null,
    });
    await pay(id, PLANS.pro);
    const state = await workshop.provider.readCheckout(id);
    expect(state?.status).toBe('paid');
    expect(await stateOf(state?.subscription ?? '')).toMatchObject({
      userId: workshop.userId,
      priceId: 'price_pro_monthly',
      status: 'active',
      billingAddress: expect.stringContaining('1 Harbour Street'),
    });
  });

  test('closed, a checkout cannot be paid any more; one that is paid stays so', async () => {
    const { closeCheckout, readCheckout } = workshop.provider;
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

  test('a payment is reported once', async () => {
    const id = await buy();
    const [invoice] = await workshop.provider.newInvoices(id, nothing);
    expect(invoice).toMatchObject({ amount: 500, priceId: 'price_pro_monthly' });
    expect(await paidFor(id, new Set([invoice?.providerInvoice ?? '']))).toEqual([]);
  });

  test('another plan of the same period costs the difference for what is left of it', async () => {
    const id = await buy();
    const { startedAt, endsAt } = await stateOf(id);
    const days = (endsAt.getTime() - startedAt.getTime()) / DAY_MS;
    advance(10 * DAY_MS);
    await workshop.provider.changePlan(id, atOnce(PLANS.elite));
    expect(await stateOf(id)).toMatchObject({ priceId: 'price_elite_monthly', endsAt });
    const [difference = 0, first] = await paidFor(id);
    expect(first).toBe(500);
    expect(difference).toBeCloseTo((500 * (days - 10)) / days, -1);
  });

  test('a plan of another period begins at once, less what is left', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, atOnce(PLANS.yearly));
    const { endsAt } = await stateOf(id);
    expect((endsAt.getTime() - now().getTime()) / DAY_MS).toBeCloseTo(365, 0);
    const [, change = 0] = await paidFor(id);
    expect(change).toBeCloseTo(4300, -1);
  });

  test('a smaller plan charges nothing, and the rest counts for the next change', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, atOnce(PLANS.elite));
    await workshop.provider.changePlan(id, atOnce(PLANS.pro));
    await workshop.provider.changePlan(id, atOnce(PLANS.elite));
    const paid = await paidFor(id);
    expect(paid.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(1000, -1);
  });

  test('the price of an immediate change is shown before, and charged so', async () => {
    const id = await buy();
    advance(DAY_MS);
    const asOf = now();
    for (const plan of [PLANS.elite, PLANS.yearly]) {
      const known = new Set(
        (await workshop.provider.newInvoices(id, nothing)).map((one) => one.providerInvoice),
      );
      const quoted = await workshop.provider.quote(id, plan, asOf);
      expect(quoted.due).toBe(quoted.price - quoted.credited);
      expect(quoted.credited).toBeGreaterThan(0);
      advance(60_000);
      await workshop.provider.changePlan(id, { ...atOnce(plan), asOf });
      expect(await paidFor(id, known)).toEqual([quoted.due]);
    }
  });

  test('what is left over of a dearer plan is kept, also beyond the end of the subscription', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, atOnce(PLANS.yearly));
    const before = (await stateOf(id)).balance;
    const quoted = await workshop.provider.quote(id, PLANS.elite, now());
    await workshop.provider.changePlan(id, atOnce(PLANS.elite));
    expect(quoted.due).toBe(0);
    expect((await stateOf(id)).balance - before).toBeCloseTo(4800 - 1000, -1);
    await workshop.provider.clear({ subscription: id });
    const second = await buy();
    expect(await paidFor(second)).toEqual([0]);
    expect((await stateOf(second)).balance).toBeCloseTo(before + 4800 - 500, -1);
  });

  test('another plan may begin at the end, which is taken back, replaced or ended until then', async () => {
    const id = await buy();
    const { endsAt } = await stateOf(id);
    const stands = async () => {
      const { status, priceId, next, endsAt: end } = await stateOf(id);
      return [status, priceId, next?.priceId ?? null, end];
    };
    const { changePlan, resume, cancel } = workshop.provider;
    const pro = PLANS.pro.priceId;
    const { weekly, yearly } = PLANS;
    for (let round = 0; round < 2; round += 1) {
      await changePlan(id, atTheEnd(weekly));
      expect(await stands()).toEqual(['active', pro, weekly.priceId, endsAt]);
    }
    await changePlan(id, atTheEnd(yearly));
    expect(await stands()).toEqual(['active', pro, yearly.priceId, endsAt]);
    await resume(id, null);
    expect(await stands()).toEqual(['active', pro, null, endsAt]);
    await changePlan(id, atTheEnd(weekly));
    await cancel(id);
    expect(await stands()).toEqual(['cancelled', pro, null, endsAt]);
    await changePlan(id, atTheEnd(weekly));
    expect(await stands()).toEqual(['active', pro, weekly.priceId, endsAt]);
    await cancel(id);
    await resume(id, null);
    expect(await stands()).toEqual(['active', pro, null, endsAt]);
    expect(await paidFor(id)).toHaveLength(1);
  });

  test('a plan that was to begin at the end does, and is charged then', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, atTheEnd(PLANS.weekly));
    const { endsAt } = await stateOf(id);
    advance(endsAt.getTime() - now().getTime() + 1000);
    workshop.turnPeriod(id);
    const state = await stateOf(id);
    expect(state).toMatchObject({ status: 'active', priceId: PLANS.weekly.priceId, next: null });
    expect(state.endsAt.getTime() - endsAt.getTime()).toBe(7 * DAY_MS);
    expect(await paidFor(id)).toHaveLength(2);
  });

  test('a cancelled plan is changed immediately for the difference, and continues', async () => {
    const id = await buy();
    await workshop.provider.cancel(id);
    await workshop.provider.changePlan(id, atOnce(PLANS.elite));
    expect(await stateOf(id)).toMatchObject({ status: 'active', priceId: PLANS.elite.priceId });
    expect(await paidFor(id)).toHaveLength(2);
  });

  test('a checkout for a change takes a card and no money', async () => {
    const id = await buy();
    const paid = await paidFor(id);
    const { id: checkout } = await openCheckout(id);
    await pay(checkout, PLANS.pro);
    const state = await workshop.provider.readCheckout(checkout);
    expect(state).toEqual({ status: 'paid', subscription: id, card: expect.any(String) });
    expect(await paidFor(id)).toEqual(paid);
  });

  test('cancelled, it runs to its end; twice is once', async () => {
    const id = await buy();
    const { endsAt } = await stateOf(id);
    await workshop.provider.cancel(id);
    await workshop.provider.cancel(id);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', endsAt });
  });

  test('a cleared subscription ends immediately; an ended or unknown one is skipped', async () => {
    const id = await buy();
    const { id: open } = await openCheckout();
    for (let round = 0; round < 2; round += 1) {
      await workshop.provider.clear({ subscription: id, checkouts: [open] });
    }
    const state = await stateOf(id);
    expect(state.status).toBe('cancelled');
    expect(state.endsAt.getTime()).toBeLessThanOrEqual(now().getTime());
    await workshop.provider.clear({
      subscription: 'sub_x',
      checkouts: ['cs_x'],
      customer: 'cus_x',
    });
    expect(await workshop.provider.readSubscription('sub_x')).toBeNull();
  });
}
