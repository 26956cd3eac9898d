import type { BillingPeriod } from '@engram/contract';
import { expect, test } from 'vitest';
import type { PaymentProvider, SoldPlan, SubscriptionState } from './provider.ts';

/** What a driver is tried with. */
export interface ProviderWorkshop {
  provider: PaymentProvider;
  userId: string;
  /** Pays a checkout, as its buyer does; fails, or does nothing, where it is not open. */
  pay: (checkoutId: string, plan: SoldPlan) => Promise<unknown>;
  now: () => Date;
  /** Moves the clock on, in milliseconds. */
  advance: (ms: number) => void;
}

const DAY_MS = 86_400_000;

const planOf = (tier: string, period: BillingPeriod, cents: number): SoldPlan => ({
  name: `Engram - ${tier} - ${period}`,
  priceId: `price_${tier.toLowerCase()}_${period}`,
  cents,
  period,
});

export const PLANS = {
  pro: planOf('Pro', 'monthly', 500),
  elite: planOf('Elite', 'monthly', 1000),
  yearly: planOf('Pro', 'yearly', 4800),
};

/** What every driver does. */
export function testProvider(workshop: ProviderWorkshop): void {
  const { pay, advance, now } = workshop;
  const openCheckout = () =>
    workshop.provider.openCheckout({
      userId: workshop.userId,
      email: 'ann@example.org',
      customer: null,
      plan: PLANS.pro,
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
    const closed = { status: 'expired', subscription: null };
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

  test('what was paid is told once', async () => {
    const id = await buy();
    const [invoice] = await workshop.provider.newInvoices(id, nothing);
    expect(invoice).toMatchObject({ amount: 500, priceId: 'price_pro_monthly' });
    expect(await paidFor(id, new Set([invoice?.id ?? '']))).toEqual([]);
  });

  test('another plan of the same period costs the difference for what is left of it', async () => {
    const id = await buy();
    const { startedAt, endsAt } = await stateOf(id);
    const days = (endsAt.getTime() - startedAt.getTime()) / DAY_MS;
    advance(10 * DAY_MS);
    await workshop.provider.changePlan(id, PLANS.elite);
    expect(await stateOf(id)).toMatchObject({ priceId: 'price_elite_monthly', endsAt });
    const [difference = 0, first] = await paidFor(id);
    expect(first).toBe(500);
    expect(difference).toBeCloseTo((500 * (days - 10)) / days, -1);
  });

  test('a plan of another period begins at once, less what is left', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, PLANS.yearly);
    const { endsAt } = await stateOf(id);
    expect((endsAt.getTime() - now().getTime()) / DAY_MS).toBeCloseTo(365, 0);
    const [, change = 0] = await paidFor(id);
    expect(change).toBeCloseTo(4300, -1);
  });

  test('a smaller plan charges nothing, and the rest counts for the next change', async () => {
    const id = await buy();
    await workshop.provider.changePlan(id, PLANS.elite);
    await workshop.provider.changePlan(id, PLANS.pro);
    await workshop.provider.changePlan(id, PLANS.elite);
    const paid = await paidFor(id);
    expect(paid.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(1000, -1);
  });

  test('cancelled, it runs to its end; twice is once', async () => {
    const id = await buy();
    const { endsAt } = await stateOf(id);
    await workshop.provider.cancel(id);
    await workshop.provider.cancel(id);
    expect(await stateOf(id)).toMatchObject({ status: 'cancelled', endsAt });
  });

  test('what is cleared has ended at once; what is gone or unknown is passed over', async () => {
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
