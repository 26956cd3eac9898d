import { LRUCache } from 'lru-cache';
import type { BucketTable } from './bucket-table.ts';
import type { Limit, Rate } from './limit.ts';

/** What a lease is of its bucket's burst. */
const SHARE = 0.1;

/** How long tokens of a lease may be spent, in milliseconds. */
const LEASE_MS = 5000;

/** What this server has of a bucket. */
interface Lease {
  tokens: number;
  /** When they may not be spent any more. */
  until: number;
  /** Until when the bucket is known to have none. */
  emptyUntil: number;
  /** Under way: whether the bucket answered. */
  asking: Promise<boolean> | null;
}

export interface LeasedLimitOptions {
  rate: Rate;
  /** Takes tokens for a key out of the bucket that all servers share. */
  take: (
    key: string,
    asked: Omit<Parameters<BucketTable['take']>[0], 'bucket'>,
  ) => ReturnType<BucketTable['take']>;
  /** What rules while the shared buckets do not answer. */
  meanwhile: Limit;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * A limit over all servers that share its buckets. Each server leases some tokens at a time and spends
 * them without asking, and a key whose bucket is empty is refused without asking until it is not. What
 * was not spent for some seconds goes back with the next request for tokens. So nobody ever gets more
 * in all than one bucket gives; at one moment it may be a lease for each server above or below that.
 */
export function createLeasedLimit({ rate, take, meanwhile, now }: LeasedLimitOptions): Limit {
  const leases = new LRUCache<string, Lease>({ max: 10_000 });

  const leaseOf = (key: string): Lease => {
    const known = leases.get(key);
    if (known) return known;
    const lease: Lease = { tokens: 0, until: 0, emptyUntil: 0, asking: null };
    leases.set(key, lease);
    return lease;
  };

  /** As a limit answers; null where only the bucket knows. */
  const spend = (lease: Lease): number | null => {
    const at = now();
    if (lease.tokens >= 1 && at < lease.until) {
      lease.tokens -= 1;
      return 0;
    }
    return at < lease.emptyUntil ? (lease.emptyUntil - at) / 1000 : null;
  };

  const renew = async (lease: Lease, key: string, times: number): Promise<boolean> => {
    const returned = lease.tokens;
    const perSecond = rate.perSecond * times;
    const burst = rate.burst * times;
    const wanted = Math.max(1, Math.floor(burst * SHARE));
    lease.tokens = 0;
    try {
      const { tokens, waitSeconds } = await take(key, { perSecond, burst, wanted, returned });
      const at = now();
      lease.tokens += tokens;
      lease.until = at + LEASE_MS;
      lease.emptyUntil = tokens > 0 ? 0 : at + waitSeconds * 1000;
      return true;
    } catch {
      // What was to go back is lost: without the table nobody keeps account.
      return false;
    } finally {
      lease.asking = null;
    }
  };

  const count = async (key: string, times = 1): Promise<number> => {
    const lease = leaseOf(key);
    for (;;) {
      const wait = spend(lease);
      if (wait !== null) return wait;
      // Calls that come at once ask once; those that the lease leaves over ask again.
      lease.asking ??= renew(lease, key, times);
      if (!(await lease.asking)) return meanwhile(key, times);
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
