import { beforeEach, expect, test } from 'vitest';
import {
  type Buyer,
  DAY,
  ELITE,
  ELITE_WEEKLY,
  ELITE_YEARLY,
  HOUR,
  PRO,
  PRO_WEEKLY,
  PRO_YEARLY,
} from '../../../tests/buyers.test-setup.ts';
import type { SignedInUser, TestApp } from '../../../tests/app.test-setup.ts';

export type SignedInBuyer = Buyer & SignedInUser;

/** A server that sells plans, with controls for its buyers and its provider. */
export interface Shop {
  engram: TestApp;
  newBuyer: () => Promise<SignedInBuyer>;
  /** Advances the clock, and signs the buyer in again. */
  advanceClock: (ms: number, buyer: SignedInBuyer) => Promise<SignedInBuyer>;
  /** Completes a checkout with a valid card, and returns the payment status. */
  pay: (buyer: SignedInBuyer, clientSecret: string) => Promise<string | undefined>;
  /** Does what the provider does automatically at the end of a user's period. */
  startNextPeriod: (buyer: SignedInBuyer) => Promise<unknown>;
}

const cents = (dollars: number): number => Math.round(dollars * 100);

/** Tests a plan over HTTP from the checkout to its end, with any provider. */
export function testPaymentLifecycle(shop: Shop): void {
  let ann: SignedInBuyer;

  beforeEach(async () => {
    ann = await shop.newBuyer();
  });

  const buy = async (priceId: string): Promise<void> => {
    expect(await shop.pay(ann, await ann.begin(priceId))).toBe('paid');
  };
  /** Advances to just after the end of the period. */
  const advanceToEnd = async (): Promise<void> => {
    const { renewsOn } = (await ann.billing()) ?? {};
    const remaining = Date.parse(renewsOn ?? '') - shop.engram.deps.now().getTime();
    ann = await shop.advanceClock(remaining + 1000, ann);
  };
  const amounts = async () => (await ann.invoices()).map(({ amount }) => cents(amount));
  const receipts = async () => {
    await shop.engram.settled();
    return shop.engram.mails
      .filter(({ to, text }) => to === ann.email && text.includes('Your receipt'))
      .map(({ text }) => /Engram - \w+ - \w+/u.exec(text)?.[0]);
  };
  /** The daily limit of questions, and the storage limit in gigabytes. */
  const currentLimits = async () => {
    const {
      daily_query_limit: day,
      weekly_file_size_limit: week,
      yearly_file_size_limit: year,
    } = await ann.metrics();
    return [day, week + year];
  };
  const nextPlan = async () => (await ann.billing())?.next?.productName ?? null;
  const FREE_LIMITS = [15, 10];
  const PRO_LIMITS = [25, 25];
  const ELITE_LIMITS = [100, 100];

  test('an upgrade from free to Pro and then to Elite charges the previewed amount each time', async () => {
    expect(await currentLimits()).toEqual(FREE_LIMITS);
    expect(await ann.preview(PRO)).toMatchObject({ kind: 'new', dueToday: 5, credited: 0 });
    await buy(PRO);
    expect(await currentLimits()).toEqual(PRO_LIMITS);
    await expect(ann.preview(PRO)).rejects.toMatchObject({ status: 409, code: 'same_plan' });
    ann = await shop.advanceClock(10 * DAY, ann);
    const shown = await ann.preview(ELITE_YEARLY);
    expect(shown).toMatchObject({ kind: 'upgrade', price: 96, balance: 0 });
    expect(cents(shown.credited)).toBeCloseTo((500 * 21) / 31, -1);
    expect(cents(shown.dueToday)).toBe(9600 - cents(shown.credited));
    shop.engram.advance(HOUR / 2);
    await ann.upgrade(ELITE_YEARLY, shown.asOf);
    expect(await amounts()).toEqual([cents(shown.dueToday), 500]);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Elite - yearly', 'ACTIVE']);
    const yearLater = Date.parse((await ann.billing())?.renewsOn ?? '');
    expect((yearLater - shop.engram.deps.now().getTime()) / DAY).toBeCloseTo(365, 0);
    expect(await currentLimits()).toEqual(ELITE_LIMITS);
    expect(await receipts()).toEqual(['Engram - Pro - monthly', 'Engram - Elite - yearly']);
  });

  test('a cancelled plan that is resumed continues unchanged', async () => {
    await buy(ELITE);
    const before = await ann.billing();
    await expect(ann.resume()).rejects.toMatchObject({ status: 409, code: 'plan_goes_on' });
    await ann.cancel();
    expect(await ann.billing()).toEqual({ ...before, status: 'CANCELLED' });
    expect(await ann.preview(ELITE)).toMatchObject({ kind: 'resume', dueToday: 0 });
    const both = await Promise.allSettled([ann.resume(), ann.resume()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await ann.billing()).toEqual(before);
    expect(await amounts()).toEqual([1000]);
    await ann.cancel();
    await advanceToEnd();
    await shop.startNextPeriod(ann);
    expect(await currentLimits()).toEqual(FREE_LIMITS);
    await expect(ann.resume()).rejects.toMatchObject({ status: 409, code: 'no_plan_running' });
  });

  test.each(['in a checkout', 'with the stored card'])(
    'a cheaper plan after a cancellation begins when the paid period ends, bought %s',
    async (way) => {
      await buy(ELITE);
      const [, , end] = await ann.plan();
      await ann.cancel();
      const shown = await ann.preview(PRO_WEEKLY);
      expect(shown).toMatchObject({ kind: 'later', dueToday: 0, price: 0, balance: 0 });
      expect(shown.beginsOn.slice(0, 10)).toBe(end);
      await (way === 'in a checkout' ? buy(PRO_WEEKLY) : ann.upgrade(PRO_WEEKLY));
      expect(await ann.plan()).toEqual(['Engram - Elite - monthly', 'ACTIVE', end]);
      expect((await ann.billing())?.next).toEqual({
        productName: 'Engram - Pro - weekly',
        billingCycle: 'weekly',
        amount: 1.5,
      });
      await expect(ann.upgrade(PRO_WEEKLY)).rejects.toMatchObject({ code: 'same_plan' });
      expect(await currentLimits()).toEqual(ELITE_LIMITS);
      expect(await amounts()).toEqual([1000]);
      await advanceToEnd();
      await shop.startNextPeriod(ann);
      const weekLater = new Date(Date.parse(`${end}T00:00:00Z`) + 7 * DAY).toISOString();
      expect(await ann.plan()).toEqual(['Engram - Pro - weekly', 'ACTIVE', weekLater.slice(0, 10)]);
      expect(await nextPlan()).toBeNull();
      expect(await currentLimits()).toEqual(PRO_LIMITS);
      expect(await amounts()).toEqual([150, 1000]);
      expect(await receipts()).toEqual(['Engram - Elite - monthly', 'Engram - Pro - weekly']);
    },
  );

  test('a change to a shorter period takes effect at the end, and can be undone until then', async () => {
    await buy(PRO_YEARLY);
    const before = await ann.billing();
    expect(await ann.preview(PRO)).toMatchObject({ kind: 'later', dueToday: 0 });
    await ann.upgrade(PRO);
    expect(await nextPlan()).toBe('Engram - Pro - monthly');
    expect(await ann.preview(PRO_YEARLY)).toMatchObject({ kind: 'resume', dueToday: 0 });
    await ann.resume();
    expect(await ann.billing()).toEqual(before);
    await ann.upgrade(PRO);
    await ann.upgrade(PRO_YEARLY);
    expect(await ann.billing()).toEqual(before);
    expect(await amounts()).toEqual([4800]);
  });

  test('an upgrade or a cancellation replaces a scheduled change', async () => {
    await buy(PRO);
    await ann.upgrade(PRO_WEEKLY);
    await ann.upgrade(ELITE);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Elite - monthly', 'ACTIVE']);
    expect(await nextPlan()).toBeNull();
    await ann.upgrade(PRO);
    await ann.cancel();
    expect(await nextPlan()).toBeNull();
    expect((await ann.plan())[1]).toBe('CANCELLED');
    await advanceToEnd();
    await shop.startNextPeriod(ann);
    expect(await ann.plan()).toEqual(['Starter(Free)', 'ACTIVE', null]);
    expect(await amounts()).toHaveLength(2);
  });

  test('the unused value of an expensive plan pays for later plans, even after a free period', async () => {
    await buy(PRO_YEARLY);
    const shown = await ann.preview(ELITE_WEEKLY);
    expect(shown).toMatchObject({ kind: 'upgrade', dueToday: 0, price: 3, credited: 3 });
    expect(cents(shown.balance)).toBeCloseTo(4500, -1);
    await ann.upgrade(ELITE_WEEKLY, shown.asOf);
    expect((await ann.billing())?.balance).toBe(shown.balance);
    await ann.cancel();
    await advanceToEnd();
    await shop.startNextPeriod(ann);
    expect((await ann.billing())?.productName).toBe('Starter(Free)');
    expect((await ann.billing())?.balance).toBe(shown.balance);
    const later = await ann.preview(PRO_YEARLY);
    expect(later).toMatchObject({ kind: 'new', price: 48, credited: shown.balance, balance: 0 });
    await buy(PRO_YEARLY);
    expect((await amounts())[0]).toBe(4800 - cents(shown.balance));
    expect((await ann.billing())?.balance).toBe(0);
  });

  test('two clicks at once change the plan once', async () => {
    await buy(PRO);
    const both = await Promise.allSettled([ann.upgrade(ELITE), ann.upgrade(ELITE)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await amounts()).toHaveLength(2);
    await Promise.allSettled([ann.upgrade(PRO_WEEKLY), ann.cancel()]);
    const outcome = [(await ann.plan())[1], await nextPlan()];
    // The last of the two calls wins.
    expect([
      ['CANCELLED', null],
      ['ACTIVE', 'Engram - Pro - weekly'],
    ]).toContainEqual(outcome);
    await ann.resume();
    await ann.cancel();
    const secrets = [await ann.begin(PRO_WEEKLY)];
    await shop.pay(ann, secrets[0] ?? '');
    await Promise.allSettled([ann.paid(secrets[0]?.split('_secret_')[0] ?? ''), ann.resume()]);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Elite - monthly', 'ACTIVE']);
    expect(await amounts()).toHaveLength(2);
  });

  test('a plan expires if its renewal is not paid, and then any plan can be bought', async () => {
    await buy(ELITE);
    await advanceToEnd();
    expect((await ann.plan())[1]).toBe('EXPIRED');
    expect(await ann.preview(PRO_WEEKLY)).toMatchObject({ kind: 'new', dueToday: 1.5 });
    await expect(ann.upgrade(PRO_WEEKLY)).rejects.toMatchObject({ code: 'no_plan_running' });
    await buy(PRO_WEEKLY);
    expect((await ann.plan()).slice(0, 2)).toEqual(['Engram - Pro - weekly', 'ACTIVE']);
  });
}
