import { describe, expect, test } from 'vitest';
import { describeAccounts } from '../auth/accounts.test-server.ts';
import { FREE_PLAN, PLANS, planOf } from './plans.ts';
import { standingAt, usedUp } from './subscription.service.ts';
import { windowsAt } from './windows.ts';

const EXPIRED = {
  status: 402,
  code: 'subscription_expired',
  message: 'Your subscription has expired. Please renew to continue accessing the services.',
};

describe('plans', () => {
  test('are the free one and two paid ones in four periods', () => {
    expect(PLANS.map(({ name }) => name)).toEqual([
      'Starter(Free)',
      ...['Pro', 'Elite'].flatMap((tier) =>
        ['weekly', 'monthly', 'quarterly', 'yearly'].map(
          (period) => `Engram - ${tier} - ${period}`,
        ),
      ),
    ]);
    expect(planOf('Engram - Pro - monthly')).toEqual({
      name: 'Engram - Pro - monthly',
      billing: { period: 'monthly', price: 5 },
      queries: { day: 25, week: 175, month: 700 },
      storage: 25,
    });
    expect(planOf('a plan of long ago')).toBe(FREE_PLAN);
  });
});

describe('standingAt', () => {
  const at = new Date('2026-03-04T10:00:00.000Z');
  const row = { userId: '', plan: 'Engram - Pro - monthly', credit: 3, endsAt: at };
  const later = new Date(at.getTime() + 1);

  test('is the free plan without a subscription', () => {
    expect(standingAt(undefined, at)).toEqual({ plan: FREE_PLAN, status: 'Active', credit: 0 });
  });

  test('expires where a period ended unpaid', () => {
    const active = { ...row, status: 'Active' } as const;
    expect(standingAt(active, at)).toMatchObject({ status: 'Expired', credit: 3 });
    expect(standingAt({ ...active, endsAt: later }, at)).toMatchObject({ status: 'Active' });
    expect(standingAt({ ...active, endsAt: null }, at)).toMatchObject({ status: 'Active' });
  });

  test('lets a cancelled plan run to its end, and then returns to the free one', () => {
    const cancelled = { ...row, status: 'Cancelled' } as const;
    expect(standingAt({ ...cancelled, endsAt: later }, at)).toEqual({
      plan: planOf(row.plan),
      status: 'Cancelled',
      credit: 3,
    });
    expect(standingAt(cancelled, at)).toEqual({ plan: FREE_PLAN, status: 'Active', credit: 3 });
  });
});

describe('usedUp', () => {
  const windows = windowsAt(new Date('2026-03-04T10:00:00.000Z'));

  test('names the limit that opens last', () => {
    expect(usedUp(FREE_PLAN, { day: 14, week: 104, month: 9999 }, windows)).toBeUndefined();
    expect(usedUp(FREE_PLAN, { day: 15, week: 104, month: 0 }, windows)).toMatchObject({
      name: 'day',
      limit: 15,
    });
    expect(usedUp(FREE_PLAN, { day: 15, week: 105, month: 0 }, windows)).toMatchObject({
      name: 'week',
      opens: new Date('2026-03-09T00:00:00.000Z'),
    });
    const pro = planOf('Engram - Pro - yearly');
    expect(usedUp(pro, { day: 0, week: 0, month: 700 }, windows)).toMatchObject({ name: 'month' });
  });
});

describeAccounts('the subscription', (accounts) => {
  const signIn = async () => {
    const { token } = await accounts.server.signIn('ada@example.org');
    const [user] = await accounts.rows('users');
    return { token, userId: String(user?.['id']) };
  };
  const metrics = async (token: string) =>
    (await accounts.server.call('GET', '/subscription/metrics', { token })).data;
  const change = (assignments: string) =>
    accounts.database.pool.query(`UPDATE subscriptions SET ${assignments}`);
  const service = () => accounts.server.services.subscription;
  const ask = async (userId: string, times: number) => {
    for (let n = 0; n < times; n += 1) await service().countQuery(userId);
  };

  test('starts on the free plan', async () => {
    const { token } = await signIn();
    expect(await metrics(token)).toEqual({
      plan: 'Starter(Free)',
      credit: 0,
      status: 'Active',
      enforced: false,
      daily_query_limit: 15,
      daily_queries_used: 0,
      weekly_query_limit: 105,
      weekly_queries_used: 0,
      monthly_query_limit: 0,
      monthly_queries_used: 0,
      weekly_file_size: 0,
      weekly_file_size_limit: 10,
      yearly_file_size: 0,
      yearly_file_size_limit: 0,
    });
    expect((await accounts.server.call('GET', '/subscription/metrics')).status).toBe(401);
  });

  test('shows what is stored, and the paid plan', async () => {
    await accounts.restart({}, () => Promise.resolve(1_500_000_000));
    const { token } = await signIn();
    await change(`plan = 'Engram - Elite - yearly', credit = 7, ends_at = '2027-01-01'`);
    expect(await metrics(token)).toMatchObject({
      plan: 'Engram - Elite - yearly',
      credit: 7,
      daily_query_limit: 100,
      weekly_query_limit: 700,
      monthly_query_limit: 3000,
      weekly_file_size: 1.5,
      weekly_file_size_limit: 0,
      yearly_file_size: 1.5,
      yearly_file_size_limit: 100,
    });
  });

  test('counts questions by UTC day, ISO week and month', async () => {
    const { token, userId } = await signIn();
    accounts.server.set('2026-02-28T12:00:00.000Z');
    await ask(userId, 1);
    accounts.server.set('2026-03-01T23:59:59.999Z');
    await ask(userId, 2);
    accounts.server.set('2026-03-02T00:00:00.000Z');
    await ask(userId, 4);
    expect(await metrics(token)).toMatchObject({
      daily_queries_used: 4,
      weekly_queries_used: 4,
      monthly_queries_used: 6,
    });
    accounts.server.set('2026-03-01T12:00:00.000Z');
    await accounts.database.pool.query(`DELETE FROM query_counts WHERE day = '2026-03-02'`);
    expect(await metrics(token)).toMatchObject({
      daily_queries_used: 2,
      weekly_queries_used: 3,
      monthly_queries_used: 2,
    });
  });

  test('counts and never stops where limits are not enforced', async () => {
    const { token, userId } = await signIn();
    await ask(userId, 16);
    await service().assertMayUpload(userId, 1e15);
    expect(await metrics(token)).toMatchObject({ daily_queries_used: 16, enforced: false });
  });

  test('stops an expired plan, enforced or not', async () => {
    const { token, userId } = await signIn();
    await change(`status = 'Expired'`);
    await expect(service().countQuery(userId)).rejects.toMatchObject(EXPIRED);
    await expect(service().assertMayUpload(userId, 1)).rejects.toMatchObject(EXPIRED);
    expect(await metrics(token)).toMatchObject({ status: 'Expired', daily_queries_used: 0 });
  });

  describe('where limits are enforced', () => {
    const enforce = (stored = 0) =>
      accounts.restart({ ENGRAM_LIMITS: 'enforce' }, () => Promise.resolve(stored));

    test('stops at the limit and says when it opens again', async () => {
      await enforce();
      const { token, userId } = await signIn();
      await ask(userId, 15);
      const refusal = {
        status: 402,
        code: 'queries_used_up',
        message:
          'You have used all 15 questions of your plan for today. You can ask again from Thursday, March 5, 2026, 00:00 UTC.',
      };
      await expect(service().countQuery(userId)).rejects.toMatchObject(refusal);
      expect(await metrics(token)).toMatchObject({ daily_queries_used: 15, enforced: true });
      accounts.server.set('2026-03-05T00:00:00.000Z');
      await ask(userId, 1);
    });

    test('holds for parallel questions', async () => {
      await enforce();
      const { userId } = await signIn();
      await ask(userId, 13);
      const asked = await Promise.allSettled(
        Array.from({ length: 5 }, () => service().countQuery(userId)),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    });

    test('pays for a question with a credit', async () => {
      await enforce();
      const { token, userId } = await signIn();
      await change('credit = 2');
      await ask(userId, 15);
      expect(await metrics(token)).toMatchObject({ credit: 2 });
      await ask(userId, 2);
      expect(await metrics(token)).toMatchObject({ credit: 0, daily_queries_used: 17 });
      await expect(service().countQuery(userId)).rejects.toMatchObject({ status: 402 });
    });

    test('stops uploads at the storage of the plan', async () => {
      await enforce(9_999_999_999);
      const { userId } = await signIn();
      await service().assertMayUpload(userId, 1);
      await expect(service().assertMayUpload(userId, 2)).rejects.toMatchObject({
        status: 402,
        code: 'storage_used_up',
        message:
          'Your plan stores up to 10 GB, and this upload would exceed it. Please delete some files or choose a larger plan.',
      });
    });
  });
});
