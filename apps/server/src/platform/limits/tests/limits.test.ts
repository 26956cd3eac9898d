import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import {
  describeDatabases,
  type TestStore,
} from '../../database/tests/database-suite.test-setup.ts';
import { migrate } from '../../database/migrate.ts';
import { createLimits, createTokenBuckets } from '../limits.ts';

describeDatabases('limits', (createStore, kind) => {
  let store: TestStore;
  let database: Database;
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  let warnings = 0;
  let statements = 0;

  /** The state of one server. */
  const open = (rateLimits: 'on' | 'off' = 'on') =>
    createLimits({
      rateLimits,
      database,
      log: { warn: () => (warnings += 1) },
      now: () => new Date(nowMs),
    });

  /** Advances both the database's clock and the servers' clocks. */
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    await database.pool.query(
      `update rate_limits set full_at = full_at - $1 * interval '1 millisecond'`,
      [ms],
    );
  };

  /** Expects a wait in seconds, less the time since `start` on the database's own clock. */
  const expectWait = (seconds: number, expected: number, start: number): void => {
    const passed = (performance.now() - start) / 1000;
    expect(seconds).toBeLessThan(expected + 0.5);
    expect(seconds).toBeGreaterThan(expected - 0.5 - passed);
  };

  const allowedOf = async (waits: readonly Promise<number>[]): Promise<number> =>
    (await Promise.all(waits)).filter((wait) => wait === 0).length;

  beforeAll(async () => {
    store = await createStore();
    database = await store.open();
    await migrate(database);
    database.pool.on('acquire', () => (statements += 1));
  });
  beforeEach(async () => {
    await database.pool.query('truncate rate_limits');
    [warnings, statements] = [0, 0];
  });
  afterAll(async () => {
    await database.close();
    await store.destroy();
  });

  test('each key allows a burst, and then calls at the steady rate', async () => {
    const start = performance.now();
    const limit = open().limitOf('calls', { perSecond: 0.02, burst: 3 });
    expect(await allowedOf([1, 2, 3].map(() => limit('a')))).toBe(3);
    expectWait(await limit('a'), 50, start);
    expect(await limit('b')).toBe(0);
    await pass(50_000);
    expect(await limit('a')).toBe(0);
    expect(await limit('a')).toBeGreaterThan(0);
    await pass(1_000_000);
    expect(await allowedOf([1, 2, 3, 4].map(() => limit('a')))).toBe(3);
  });

  test('a returned token can be used again, and no more than that', async () => {
    const start = performance.now();
    const limit = open().limitOf('calls', { perSecond: 0.01, burst: 2 });
    expect(await allowedOf([1, 2].map(() => limit('a')))).toBe(2);
    expectWait(await limit('a'), 100, start);
    limit.giveBack('a');
    expect(await limit('a')).toBe(0);
    expect(await limit('a')).toBeGreaterThan(0);
    for (let n = 0; n < 5; n += 1) limit.giveBack('a');
    expect(await allowedOf([1, 2, 3].map(() => limit('a')))).toBe(2);
  });

  test('a key may have a multiple of the rate and the burst', async () => {
    const start = performance.now();
    const limit = open().limitOf('calls', { perSecond: 0.01, burst: 2 });
    expect(await allowedOf([1, 2, 3, 4, 5, 6].map(() => limit('a', 3)))).toBe(6);
    expectWait(await limit('a', 3), 100 / 3, start);
    await pass(100_000);
    expect(await allowedOf([1, 2, 3, 4].map(() => limit('a', 3)))).toBe(3);
  });

  test('each limit counts separately, and turning limits off affects only those without a setting', async () => {
    const rate = { perSecond: 0.01, burst: 1 };
    const { limitOf } = open();
    const [first, second] = [limitOf('first', rate), limitOf('second', rate)];
    expect(await allowedOf([first('a'), second('a')])).toBe(2);
    expect(await allowedOf([first('a'), second('a')])).toBe(0);
    const off = open('off');
    const none = off.limitOf('first', rate);
    expect(await allowedOf([none('a'), none('a')])).toBe(2);
    const pace = off.paceOf('others', rate);
    expect(await allowedOf([pace('a'), pace('a')])).toBe(1);
  });

  describe.runIf(kind === 'server')('limits shared by three servers', () => {
    const RATE = { perSecond: 0.01, burst: 100 };
    const LEASE = 10;
    const openThree = () =>
      [1, 2, 3].map(() => open().limitOf('calls', RATE)) as [Limit, Limit, Limit];
    type Limit = ReturnType<ReturnType<typeof open>['limitOf']>;

    test('three servers together allow one bucket, with a statement per lease', async () => {
      const limits = openThree();
      const waits = Array.from({ length: 300 }, (_, n) => limits[(n % 3) as 0 | 1 | 2]('a'));
      expect(await allowedOf(waits)).toBe(RATE.burst);
      // Each server learns once that the bucket is empty, and then stops asking.
      expect(statements).toBe(RATE.burst / LEASE + 3);
      expect(await allowedOf(limits.map((limit) => limit('a')))).toBe(0);
      expect(statements).toBe(RATE.burst / LEASE + 3);
      await pass(100_000);
      expect(await allowedOf(limits.map((limit) => limit('a')))).toBe(1);
    });

    test('servers return the unused part of their leases', async () => {
      const limits = openThree();
      for (let round = 0; round < 20; round += 1) {
        expect(await allowedOf(limits.map((limit) => limit('a')))).toBe(3);
        nowMs += 10_000;
      }
      // Sixty were used. The rest is available, except the leases of the two other servers.
      const [first] = limits;
      const allowed = await allowedOf(Array.from({ length: 100 }, () => first('a')));
      expect(allowed).toBe(RATE.burst - 60 - 2 * (LEASE - 1));
    });

    test('full buckets are deleted', async () => {
      const limits = open();
      await limits.limitOf('calls', RATE)('192.0.2.7');
      const rows = async () => (await database.pool.query('select bucket from rate_limits')).rows;
      await limits.cleanUp();
      expect(await rows()).toEqual([{ bucket: expect.stringMatching(/^calls: [\w-]{43}$/u) }]);
      await pass(10 * 100_000);
      await limits.cleanUp();
      expect(await rows()).toEqual([]);
    });

    test('servers count locally while the table is unavailable', async () => {
      const [first, second] = openThree();
      await database.pool.query('alter table rate_limits rename to away');
      try {
        expect(await allowedOf(Array.from({ length: 101 }, () => first('a')))).toBe(100);
        expect(await allowedOf(Array.from({ length: 101 }, () => second('a')))).toBe(100);
        // One failed query per server besides the renaming: they ask again only after some seconds.
        expect([warnings, statements]).toEqual([2, 3]);
      } finally {
        await database.pool.query('alter table away rename to rate_limits');
      }
      nowMs += 5000;
      expect(await first('a')).toBe(0);
      expect(warnings).toBe(2);
    });
  });
});

const calls = fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { maxLength: 100 });
const rates = fc.record({
  perSecond: fc.integer({ min: 1, max: 20 }),
  burst: fc.integer({ min: 1, max: 20 }),
});

test('a limit never allows more than the burst and the refill, and its Retry-After is accurate', async () => {
  await fc.assert(
    fc.asyncProperty(rates, calls, async (rate, steps) => {
      let nowMs = 0;
      let allowed = 0;
      const limit = createTokenBuckets(rate, () => nowMs);
      for (const [pause, waits] of steps) {
        nowMs += pause;
        let wait = await limit('a');
        const isPatient = wait > 0 && waits;
        if (isPatient) {
          nowMs += Math.ceil(wait * 1000);
          wait = await limit('a');
        }
        allowed += wait === 0 ? 1 : 0;
        expect(isPatient && wait > 0).toBe(false);
        expect(allowed).toBeLessThanOrEqual(rate.burst + (nowMs / 1000) * rate.perSecond + 1e-6);
      }
    }),
    // 8 ms at ten per second and the 92 ms of waiting are one token, except for rounding.
    {
      examples: [
        [
          { perSecond: 10, burst: 1 },
          [
            [0, false],
            [8, true],
          ],
        ],
      ],
    },
  );
});
