import { LRUCache } from 'lru-cache';

export interface TokenBucketOptions {
  /** Calls per second in the long run. */
  perSecond: number;
  /** Calls that may come at once. */
  burst: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * A token bucket for each key. Answers 0 when the call may go on, or else the seconds until the
 * next one may. What costs 0 takes nothing, and tells whether the next call may go on. A key that was
 * not seen for long is forgotten: its bucket would be full again.
 */
export function createTokenBuckets({ perSecond, burst, now }: TokenBucketOptions) {
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 });
  return (key: string, cost: 0 | 1 = 1): number => {
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: burst, at };
    const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
    buckets.set(key, { tokens: tokens >= 1 ? tokens - cost : tokens, at });
    return tokens >= 1 ? 0 : (1 - tokens) / perSecond;
  };
}

/** How often something may be done. */
export type Rate = Pick<TokenBucketOptions, 'perSecond' | 'burst'>;

/** Makes a bucket for each key, at a rate; answers as the buckets do. */
export type LimitOf = (rate: Rate) => (key: string, cost?: 0 | 1) => number;

/** Buckets by the server's clock, or none that are ever empty where limits are off. */
export const createLimits =
  (rateLimits: 'on' | 'off', now: () => Date): LimitOf =>
  (rate) =>
    rateLimits === 'off' ? () => 0 : createTokenBuckets({ ...rate, now: () => now().getTime() });
