import { describe, expect, test } from 'vitest';
import { describeAccounts } from '../../auth/tests/accounts.test-setup.ts';
import type { ReportedSubscription } from '../plan-state.ts';
import { SEED_PLANS } from '../plans.ts';

const EXPIRED = {
  status: 402,
  code: 'subscription_expired',
  message: 'Your subscription has expired. Please renew to continue accessing the services.',
};
const FREE_QUERY_LIMIT = { queryLimit: { dailyLimit: 15, weeklyLimit: 105, monthlyLimit: 0 } };

describeAccounts('the subscription', (accounts) => {
  const signIn = async () => {
    const { token } = await accounts.server.signIn('ada@example.org');
    const [user] = await accounts.rows('users');
    return { token, userId: String(user?.['id']) };
  };
  const read = async (token: string, path: string) =>
    (await accounts.server.call('GET', `/subscription/${path}`, { token })).data;
  const metrics = (token: string) => read(token, 'metrics');
  const query = (statement: string) => accounts.database.pool.query(statement);
  const change = (assignments: string) => query(`UPDATE subscriptions SET ${assignments}`);
  const service = () => accounts.server.services.subscription;
  const ask = async (userId: string, times: number) => {
    for (let n = 0; n < times; n += 1) await service().countQuery(userId);
  };
  const enforce = (stored = 0) =>
    accounts.restart({ ENGRAM_LIMITS: 'enforce' }, () => Promise.resolve(stored));

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
    expect(await read(token, 'billing')).toEqual([
      {
        productName: 'Starter(Free)',
        billingCycle: null,
        renewsOn: null,
        amount: 0,
        status: 'ACTIVE',
        billingAddress: null,
        ...noSuccessor,
      },
    ]);
    for (const path of ['metrics', 'billing', 'active', 'ledger']) {
      const { status } = await accounts.server.call('GET', `/subscription/${path}`);
      expect([path, status]).toEqual([path, path === 'ledger' ? 404 : 401]);
    }
  });

  test('shows the stored bytes and the paid plan', async () => {
    await accounts.restart({}, () => Promise.resolve(1_500_000_000));
    const { token } = await signIn();
    await change(
      `plan = 'Engram - Elite - yearly', credit = 7, ends_at = '2027-01-01', billing_address = '1 Main St'`,
    );
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
    const billed = {
      productName: 'Engram - Elite - yearly',
      billingCycle: 'yearly',
      renewsOn: '2027-01-01T00:00:00.000Z',
      amount: 96,
      status: 'ACTIVE',
      billingAddress: '1 Main St',
      ...noSuccessor,
    };
    expect(await read(token, 'billing')).toEqual([billed]);
    await change(`status = 'Cancelled'`);
    expect(await read(token, 'billing')).toEqual([{ ...billed, status: 'CANCELLED' }]);
    await change(`status = 'Active', ends_at = '2026-03-04 10:00Z'`);
    const expired = { status: 'EXPIRED', renewsOn: '2026-03-04T10:00:00.000Z' };
    expect(await read(token, 'billing')).toEqual([{ ...billed, ...expired }]);
    await change(`status = 'Cancelled'`);
    expect(await read(token, 'billing')).toMatchObject([
      { productName: 'Starter(Free)', status: 'ACTIVE', renewsOn: null, billingAddress: null },
    ]);
  });

  /** The billing fields of a plan without a successor or a balance. */
  const noSuccessor = { filesDeletedOn: null, next: null, balance: 0, sandboxPlan: null };
  describe('the plans', () => {
    test('are the free one and two paid ones in four periods', async () => {
      const { token } = await signIn();
      const plans = (await read(token, 'active')) as { name: string }[];
      expect(plans.map(({ name }) => name)).toEqual([
        'Starter(Free)',
        ...['Pro', 'Elite'].flatMap((tier) =>
          ['weekly', 'monthly', 'quarterly', 'yearly'].map((term) => `Engram - ${tier} - ${term}`),
        ),
      ]);
      expect(plans[0]).toEqual({
        name: 'Starter(Free)',
        productId: 'product_starter',
        priceId: 'price_starter_weekly',
        amount: 0,
        billingPeriod: 'weekly',
        ...FREE_QUERY_LIMIT,
        fileSizeLimit: { weeklyLimit: 10, monthlyLimit: 0, quarterlyLimit: 0, yearlyLimit: 0 },
      });
      expect(plans[3]).toEqual({
        name: 'Engram - Pro - quarterly',
        productId: 'product_pro',
        priceId: 'price_pro_quarterly',
        amount: 13.5,
        billingPeriod: 'quarterly',
        queryLimit: { dailyLimit: 25, weeklyLimit: 175, monthlyLimit: 700 },
        fileSizeLimit: { weeklyLimit: 25, monthlyLimit: 25, quarterlyLimit: 25, yearlyLimit: 25 },
      });
      expect(SEED_PLANS.map(({ amount }) => amount)).toEqual([
        0, 150, 500, 1350, 4800, 300, 1000, 2700, 9600,
      ]);
      expect(await service().planByPrice('price_pro_monthly')).toMatchObject({ amount: 500 });
      // The free plan is not for sale.
      expect(await service().planByPrice('price_starter_weekly')).toBeUndefined();
    });

    test('are read from their rows, which a start does not overwrite', async () => {
      const { token } = await signIn();
      await read(token, 'active');
      await query(`UPDATE plans SET amount = 999, price_id = 'price_dear', queries_day = 30,
        storage = 0 WHERE name = 'Engram - Pro - monthly'`);
      await query(`UPDATE plans SET active = false WHERE name LIKE '%Elite%'`);
      await query(`UPDATE plans SET queries_day = 3 WHERE name = 'Starter(Free)'`);
      try {
        accounts.server.advance(5000);
        const plans = (await read(token, 'active')) as { name: string; amount: number }[];
        expect(plans.map(({ name }) => name).filter((name) => name.includes('Elite'))).toEqual([]);
        expect(plans.find(({ name }) => name === 'Engram - Pro - monthly')?.amount).toBe(9.99);
        await accounts.restart({}, () => Promise.resolve(9e12));
        expect(await metrics(token)).toMatchObject({ daily_query_limit: 3 });
        expect(await service().planByPrice('price_pro_monthly')).toBeUndefined();
        expect(await service().planByPrice('price_dear')).toMatchObject({ active: true });
        // A plan that is no longer sold stays valid for its subscribers.
        await change(`plan = 'Engram - Elite - weekly', ends_at = '2027-01-01'`);
        expect(await metrics(token)).toMatchObject({ daily_query_limit: 100 });
        expect(await service().planByPrice('price_elite_weekly')).toMatchObject({ active: false });
      } finally {
        await query('DELETE FROM plans');
      }
    });

    test('have the limits of the free one if they are unknown', async () => {
      const { token } = await signIn();
      await change(`plan = 'Engram - Ultimate - daily'`);
      expect(await metrics(token)).toMatchObject({ plan: 'Starter(Free)', daily_query_limit: 15 });
    });
  });

  describe('a report of a payment provider', () => {
    const report = (userId: string, changes: Partial<ReportedSubscription> = {}) =>
      accounts.database.transaction((tx) =>
        service().report(tx, {
          userId,
          provider: 'sandbox',
          customer: 'customer_1',
          subscription: 'subscription_1',
          priceId: 'price_pro_monthly',
          status: 'active',
          endsAt: new Date('2026-04-04T10:00:00.000Z'),
          next: null,
          balance: 0,
          billingAddress: '1 Main St',
          reportedAt: new Date('2026-03-04T10:00:00.000Z'),
          ...changes,
        }),
      );
    const later = { reportedAt: new Date('2026-03-05T10:00:00.000Z') };

    test('is stored completely and once, and never replaced by an older one', async () => {
      const { userId } = await signIn();
      await change('credit = 4');
      expect(await service().find(userId)).toMatchObject({ purchase: null });
      await report(userId);
      const stored = await service().find(userId);
      expect(stored).toEqual({
        plan: SEED_PLANS.find(({ name }) => name === 'Engram - Pro - monthly'),
        status: 'Active',
        credit: 4,
        endsAt: new Date('2026-04-04T10:00:00.000Z'),
        next: null,
        balance: 0,
        isOutdated: false,
        isPaid: true,
        isCancelled: false,
        purchase: { provider: 'sandbox', customer: 'customer_1', subscription: 'subscription_1' },
      });
      expect(await service().billing(userId)).toMatchObject([{ billingAddress: '1 Main St' }]);
      await report(userId);
      await report(userId, { status: 'expired', reportedAt: new Date('2026-03-03T00:00:00.000Z') });
      expect(await service().find(userId)).toEqual(stored);

      await report(userId, { ...later, priceId: 'price_elite_yearly', status: 'cancelled' });
      expect(await service().find(userId)).toMatchObject({
        plan: { name: 'Engram - Elite - yearly' },
        status: 'Cancelled',
        credit: 4,
      });
      accounts.server.set('2026-04-04T10:00:00.000Z');
      expect(await service().find(userId)).toMatchObject({
        plan: { name: 'Starter(Free)' },
        status: 'Active',
        purchase: { customer: 'customer_1' },
      });
      const endsAt = new Date('2026-05-04T10:00:00.000Z');
      const reportedAt = accounts.server.now();
      await report(userId, { subscription: 'subscription_2', endsAt, reportedAt });
      expect(await service().find(userId)).toMatchObject({
        plan: { name: 'Engram - Pro - monthly' },
        purchase: { subscription: 'subscription_2' },
      });
    });

    test('continues a plan with a removed price, but does not start one', async () => {
      const { userId } = await signIn();
      await expect(report(userId, { priceId: 'price_of_others' })).rejects.toThrow(
        'price_of_others',
      );
      expect(await service().find(userId)).toMatchObject({ purchase: null });
      await report(userId);
      await report(userId, { ...later, priceId: 'price_of_long_ago', status: 'expired' });
      expect(await service().find(userId)).toMatchObject({
        plan: { name: 'Engram - Pro - monthly' },
        status: 'Expired',
      });
    });

    test('is skipped for a deleted account, and applied once per subscription', async () => {
      const { userId } = await signIn();
      await report('00000000-0000-4000-8000-000000000000');
      await report(userId);
      const bob = await accounts.server.signIn('bob@example.org');
      const other = (await accounts.rows('users')).find(({ email }) => email === 'bob@example.org');
      await expect(report(String(other?.['id']))).rejects.toThrow('Failed query');
      expect(await metrics(bob.token)).toMatchObject({ plan: 'Starter(Free)' });
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
    await query(`DELETE FROM query_counts WHERE day = '2026-03-02'`);
    expect(await metrics(token)).toMatchObject({
      daily_queries_used: 2,
      weekly_queries_used: 3,
      monthly_queries_used: 2,
    });
  });

  test('counts questions but refuses none if limits are not enforced', async () => {
    const { token, userId } = await signIn();
    await ask(userId, 16);
    await service().assertMayUpload(userId, 1e15);
    expect(await metrics(token)).toMatchObject({ daily_queries_used: 16, enforced: false });
  });

  test('refuses questions of an expired plan, whether or not limits are enforced', async () => {
    const { token, userId } = await signIn();
    await change(`status = 'Expired'`);
    await expect(service().countQuery(userId)).rejects.toMatchObject(EXPIRED);
    await expect(service().assertMayAsk(userId)).rejects.toMatchObject(EXPIRED);
    await expect(service().assertMayUpload(userId, 1)).rejects.toMatchObject(EXPIRED);
    expect(await metrics(token)).toMatchObject({ status: 'Expired', daily_queries_used: 0 });
  });

  describe('with enforced limits', () => {
    // Wednesday, March 4.
    test.each([
      ['day', 'Starter(Free)', 15, '2026-03-04', 'today', 'Thursday, March 5, 2026'],
      ['week', 'Starter(Free)', 105, '2026-03-02', 'this week', 'Monday, March 9, 2026'],
      [
        'month',
        'Engram - Pro - yearly',
        700,
        '2026-03-01',
        'this month',
        'Wednesday, April 1, 2026',
      ],
    ] as const)(
      'questions beyond the limit of the %s are refused with the time of its reset',
      async (_, plan, limit, counted, span, opens) => {
        await enforce();
        const { userId } = await signIn();
        await change(`plan = '${plan}', ends_at = '2027-01-01'`);
        await query(`INSERT INTO query_counts VALUES ('${userId}', '${counted}', ${limit - 1})`);
        await service().assertMayAsk(userId);
        await ask(userId, 1);
        const refusal = {
          status: 402,
          code: 'queries_used_up',
          message: `You have used all ${limit} questions of your plan for ${span}. You can ask again from ${opens}, 00:00 UTC.`,
        };
        await expect(service().countQuery(userId)).rejects.toMatchObject(refusal);
        await expect(service().assertMayAsk(userId)).rejects.toMatchObject(refusal);
        const counts = await accounts.rows('query_counts');
        expect(counts.reduce((sum, row) => sum + Number(row['queries']), 0)).toBe(limit);
        const opening = Date.parse(`${opens.slice(opens.indexOf(' '))} 00:00 UTC`);
        accounts.server.set(new Date(opening - 1).toISOString());
        await expect(service().countQuery(userId)).rejects.toMatchObject({ status: 402 });
        accounts.server.set(new Date(opening).toISOString());
        await ask(userId, 1);
      },
    );

    test('concurrent questions do not exceed a limit, and spend each credit once', async () => {
      await enforce();
      const { token, userId } = await signIn();
      await ask(userId, 13);
      await change('credit = 3');
      const results = await Promise.allSettled(
        Array.from({ length: 9 }, () => service().countQuery(userId)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect(await metrics(token)).toMatchObject({ credit: 0, daily_queries_used: 18 });
      const ledger = await accounts.rows('credit_ledger');
      expect(ledger.map(({ change: by, balance }) => [by, balance]).toSorted()).toEqual([
        [-1, 0],
        [-1, 1],
        [-1, 2],
      ]);
      expect(new Set(ledger.map(({ reason }) => reason))).toEqual(new Set(['Used for a question']));
    });

    test('a question costs a credit only if a limit is used up', async () => {
      await enforce();
      const { token, userId } = await signIn();
      await change('credit = 2');
      await ask(userId, 15);
      expect(await metrics(token)).toMatchObject({ credit: 2 });
      await ask(userId, 2);
      expect(await metrics(token)).toMatchObject({ credit: 0, daily_queries_used: 17 });
      await expect(service().countQuery(userId)).rejects.toMatchObject({ status: 402 });
    });

    test('a cancelled plan applies until its end, and then the free one', async () => {
      await enforce();
      const { userId } = await signIn();
      await change(
        `plan = 'Engram - Pro - weekly', status = 'Cancelled', ends_at = '2026-03-04 11:00Z'`,
      );
      await ask(userId, 25);
      await expect(service().countQuery(userId)).rejects.toThrow('all 25 questions');
      accounts.server.set('2026-03-04T11:00:00.000Z');
      await expect(service().countQuery(userId)).rejects.toThrow('all 15 questions');
      accounts.server.set('2026-03-05T00:00:00.000Z');
      await ask(userId, 15);
      await expect(service().countQuery(userId)).rejects.toThrow('all 15 questions');
    });

    test('uploads beyond the storage of the plan are refused', async () => {
      await enforce(9_999_999_999);
      const { userId } = await signIn();
      await service().assertMayUpload(userId, 1);
      await expect(service().assertMayUpload(userId, 2)).rejects.toMatchObject({
        status: 402,
        code: 'storage_used_up',
        message:
          'Your plan stores up to 10 GB, and this upload would exceed it. Please delete some files or choose a larger plan.',
      });
      await change(`plan = 'Engram - Pro - weekly', ends_at = '2027-01-01'`);
      await service().assertMayUpload(userId, 15_000_000_001);
      await expect(service().assertMayUpload(userId, 15_000_000_002)).rejects.toThrow('25 GB');
    });
  });
});
