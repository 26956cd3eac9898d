import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Limit, Rate } from './limit.ts';

interface TakeRequest extends Rate {
  bucket: string;
  wanted: number;
  /** Unused tokens of earlier requests, which are returned first. */
  returned: number;
}

/**
 * Token buckets that all servers on one database share, by its clock. The table stores when a bucket will
 * be full again, which determines its tokens. A full bucket needs no row.
 */
export function createBucketTable({ db }: Pick<Database, 'db'>) {
  return {
    /** Takes up to `wanted` whole tokens. Returns their number, and the seconds until the next if it is 0. */
    async take({ bucket, wanted, returned, perSecond, burst }: TakeRequest) {
      const rate = sql`${perSecond}::float8`;
      const max = sql`${burst}::float8`;
      const had = sql`extract(epoch FROM held.full_at - now()) * ${rate}`;
      const { rows } = await db.execute<{ granted: number; fullIn: number }>(sql`
        INSERT INTO rate_limits AS held (bucket, granted, full_at)
        VALUES (${bucket}, ${wanted}, now() + ${wanted} / ${rate} * interval '1 second')
        ON CONFLICT (bucket) DO UPDATE SET (granted, full_at) = (
          SELECT given, now() + (${max} - tokens + given) / ${rate} * interval '1 second'
          FROM (SELECT tokens, least(${wanted}, floor(tokens)) AS given
            FROM (SELECT least(${max}, ${max} - ${had} + ${returned}::float8) AS tokens) AS there)
          AS taken)
        RETURNING granted, extract(epoch FROM full_at - now())::float8 AS "fullIn"`);
      const { granted = 0, fullIn = 0 } = rows[0] ?? {};
      return { tokens: granted, waitSeconds: fullIn - (burst - 1) / perSecond };
    },

    async cleanUp(): Promise<void> {
      await db.execute(sql`DELETE FROM rate_limits WHERE full_at < now()`);
    },
  };
}

type BucketTable = ReturnType<typeof createBucketTable>;

const SHARE = 0.1;

const LEASE_MS = 5000;

interface Lease {
  tokens: number;
  until: number;
  /** Until when the bucket is known to be empty. */
  emptyUntil: number;
  /** The running request, which resolves to whether it succeeded. */
  request: Promise<boolean> | null;
}

/**
 * A limit that all servers with the same buckets share. Each server leases some tokens, which it spends
 * without a query, and remembers until when a bucket is empty. Unused tokens are returned with the next
 * request. A key never gets more tokens in total than its bucket has, but each server may deviate by one lease.
 */
export function createLeasedLimit(
  rate: Rate,
  /** The limit while the shared buckets are unavailable. */
  fallback: Limit,
  now: () => number,
  take: (key: string, request: Omit<TakeRequest, 'bucket'>) => ReturnType<BucketTable['take']>,
): Limit {
  const leases = new LRUCache<string, Lease>({ max: 10_000 });

  const leaseOf = (key: string): Lease => {
    const known = leases.get(key);
    if (known) return known;
    const lease: Lease = { tokens: 0, until: 0, emptyUntil: 0, request: null };
    leases.set(key, lease);
    return lease;
  };

  /** The seconds to wait; null if only the bucket knows. */
  const spend = (lease: Lease): number | null => {
    const nowMs = now();
    if (lease.tokens >= 1 && nowMs < lease.until) {
      lease.tokens -= 1;
      return 0;
    }
    return nowMs < lease.emptyUntil ? (lease.emptyUntil - nowMs) / 1000 : null;
  };

  const renew = async (lease: Lease, key: string, times: number): Promise<boolean> => {
    const returned = lease.tokens;
    const perSecond = rate.perSecond * times;
    const burst = rate.burst * times;
    const wanted = Math.max(1, Math.floor(burst * SHARE));
    lease.tokens = 0;
    try {
      const { tokens, waitSeconds } = await take(key, { perSecond, burst, wanted, returned });
      const nowMs = now();
      lease.tokens += tokens;
      lease.until = nowMs + LEASE_MS;
      lease.emptyUntil = tokens > 0 ? 0 : nowMs + waitSeconds * 1000;
      return true;
    } catch {
      // Returned tokens are lost.
      return false;
    } finally {
      lease.request = null;
    }
  };

  const count = async (key: string, times = 1): Promise<number> => {
    const lease = leaseOf(key);
    for (;;) {
      const wait = spend(lease);
      if (wait !== null) return wait;
      // Concurrent calls share one request, and repeat it if they get no token.
      lease.request ??= renew(lease, key, times);
      if (!(await lease.request)) return fallback(key, times);
    }
  };

  const giveBack = (key: string, times = 1): void => {
    const lease = leases.get(key);
    if (!lease) return;
    lease.tokens = Math.min(rate.burst * times, lease.tokens + 1);
    lease.emptyUntil = 0;
  };

  return Object.assign(count, { giveBack });
}
