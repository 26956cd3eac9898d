import { describe, expect, test } from 'vitest';
import { FREE_PLAN, type Plan, type Plans, SEED_PLANS, storageOf } from '../plans.ts';
import { limitsOf, nearlyUsedUp, planStateAt, usedUp } from '../plan-state.ts';
import { windowsAt } from '../windows.ts';

const named = (name: string): Plan => SEED_PLANS.find((plan) => plan.name === name) ?? FREE_PLAN;
const plans: Plans = {
  free: FREE_PLAN,
  named,
  priced: () => undefined,
  offered: [...SEED_PLANS],
  all: SEED_PLANS,
  counts: ({ provider }) => provider !== 'sandbox',
};
const pro = named('Engram - Pro - monthly');

describe('planStateAt', () => {
  const at = new Date('2026-03-04T10:00:00.000Z');
  const common = { nextPlan: null, nextEndsAt: null, provider: null };
  const row = { ...common, plan: pro.name, credit: 3, endsAt: at };
  const later = new Date(at.getTime() + 1);

  test('is the free plan without a subscription', () => {
    const state = planStateAt(undefined, plans, at);
    expect(state).toMatchObject({ plan: FREE_PLAN, status: 'Active', credit: 0 });
  });

  test('has the limits of the free plan if the plan is unknown', () => {
    const unknown = { ...row, plan: 'a plan of long ago', status: 'Active', endsAt: null } as const;
    expect(planStateAt(unknown, plans, at)).toMatchObject({ plan: FREE_PLAN, status: 'Active' });
  });

  test('is expired if a period ended unpaid', () => {
    const active = { ...row, status: 'Active' } as const;
    expect(planStateAt(active, plans, at)).toMatchObject({ status: 'Expired', credit: 3 });
    expect(planStateAt({ ...active, endsAt: later }, plans, at)).toMatchObject({
      status: 'Active',
    });
    expect(planStateAt({ ...active, endsAt: null }, plans, at)).toMatchObject({ status: 'Active' });
    const expired = { ...row, status: 'Expired', endsAt: later } as const;
    expect(planStateAt(expired, plans, at)).toMatchObject({ plan: pro, status: 'Expired' });
  });

  test('is the cancelled plan until its end, and then the free one', () => {
    const cancelled = { ...row, status: 'Cancelled' } as const;
    const running = { plan: pro, status: 'Cancelled', credit: 3 };
    expect(planStateAt({ ...cancelled, endsAt: later }, plans, at)).toMatchObject(running);
    const ended = { plan: FREE_PLAN, status: 'Active', credit: 3 };
    expect(planStateAt(cancelled, plans, at)).toMatchObject(ended);
  });

  test('is the scheduled plan after the end if it needs no payment', () => {
    const before = new Date(at.getTime() - 1);
    const active = { ...row, status: 'Active', nextPlan: 'Engram - Pro - weekly' } as const;
    const weekly = named('Engram - Pro - weekly');
    const paid = { ...active, nextEndsAt: later };
    expect(planStateAt(paid, plans, before)).toMatchObject({ plan: pro, next: weekly, endsAt: at });
    const startedPlan = { plan: weekly, status: 'Active', next: null, endsAt: later };
    expect(planStateAt(paid, plans, at)).toMatchObject(startedPlan);
    expect(planStateAt(paid, plans, later)).toMatchObject({ plan: weekly, status: 'Expired' });
    expect(planStateAt(active, plans, at)).toMatchObject({ plan: pro, status: 'Expired' });
  });

  test('is the free plan if the bought one does not count on this server', () => {
    const sandbox = { ...row, status: 'Active', endsAt: later, provider: 'sandbox' } as const;
    expect(planStateAt(sandbox, plans, at)).toMatchObject({ plan: FREE_PLAN, status: 'Active' });
  });
});

describe('limits on questions', () => {
  const windows = windowsAt(new Date('2026-03-04T10:00:00.000Z'));
  const limits = (plan: Plan, day: number, week: number, month: number) =>
    limitsOf(plan, { day, week, month }, windows);

  test('are reported as used up with the latest time at which one resets', () => {
    expect(usedUp(limits(FREE_PLAN, 14, 104, 9999))).toBeUndefined();
    expect(usedUp(limits(FREE_PLAN, 15, 104, 0))).toMatchObject({ name: 'day', limit: 15 });
    expect(usedUp(limits(FREE_PLAN, 15, 105, 0))).toMatchObject({
      name: 'week',
      window: { opens: new Date('2026-03-09T00:00:00.000Z') },
    });
    expect(usedUp(limits(pro, 0, 0, 700))).toMatchObject({ name: 'month' });
    expect(usedUp(limits(pro, 25, 175, 699))).toMatchObject({ name: 'week' });
  });

  test('are nearly used up from the question that begins the last fifth', () => {
    const near = (used: number) =>
      nearlyUsedUp(limits(FREE_PLAN, used, 0, 0)).map(({ name }) => name);
    expect([11, 12, 13, 14, 15].map((used) => near(used).length)).toEqual([0, 1, 1, 1, 0]);
    expect(nearlyUsedUp(limits(pro, 20, 140, 560)).map(({ name }) => name)).toEqual([
      'day',
      'week',
      'month',
    ]);
    expect(nearlyUsedUp(limits(pro, 19, 139, 559))).toEqual([]);
  });
});

test('a storage limit of 0 means unlimited storage', () => {
  expect(storageOf(pro)).toBe(25_000_000_000);
  expect(storageOf({ ...pro, storage: 0 })).toBe(Number.POSITIVE_INFINITY);
});
