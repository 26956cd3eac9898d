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

/** How often something may be done, for each key. */
export interface Limit {
  /**
   * Counts one. Answers 0 when it may be done, or else the seconds until it may.
   * @param times how many times the rate and the burst this key has. Default: 1.
   */
  (key: string, times?: number): number;
  /** Takes one back that was counted. */
  giveBack(key: string, times?: number): void;
}

/**
 * A token bucket for each key. A key that was not seen for long is forgotten: its bucket would be
 * full again.
 */
export function createTokenBuckets({ perSecond, burst, now }: TokenBucketOptions): Limit {
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 });
  const take = (key: string, times = 1): number => {
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: burst * times, at };
    const gained = ((at - bucket.at) / 1000) * perSecond * times;
    const tokens = Math.min(burst * times, bucket.tokens + gained);
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
    return tokens >= 1 ? 0 : (1 - tokens) / (perSecond * times);
  };
  const giveBack = (key: string, times = 1): void => {
    const bucket = buckets.get(key);
    if (bucket) bucket.tokens = Math.min(burst * times, bucket.tokens + 1);
  };
  return Object.assign(take, { giveBack });
}

/** How often something may be done. */
export type Rate = Pick<TokenBucketOptions, 'perSecond' | 'burst'>;

/** Makes a limit of a rate. */
export type LimitOf = (rate: Rate) => Limit;

/** What limits nothing. */
export const noLimit: Limit = Object.assign(() => 0, { giveBack: () => undefined });

/** Limits by the server's clock, or none where limits are off. */
export const createLimits =
  (rateLimits: 'on' | 'off', now: () => Date): LimitOf =>
  (rate) =>
    rateLimits === 'off' ? noLimit : createTokenBuckets({ ...rate, now: () => now().getTime() });
