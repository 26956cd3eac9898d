import { LRUCache } from 'lru-cache';
import type { Limit, Rate } from './limit.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/** Tolerance of sums of fractions. */
const ROUNDING = 1e-9;

/** A token bucket for each key in this process, in milliseconds since the epoch. */
export function createTokenBuckets({ perSecond, burst }: Rate, now: () => number): Limit {
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 });
  const take = (key: string, times = 1): Promise<number> => {
    const at = now();
    const bucket = buckets.get(key) ?? { tokens: burst * times, at };
    const gained = ((at - bucket.at) / 1000) * perSecond * times;
    const tokens = Math.min(burst * times, bucket.tokens + gained);
    const passes = tokens >= 1 - ROUNDING;
    buckets.set(key, { tokens: passes ? tokens - 1 : tokens, at });
    return Promise.resolve(passes ? 0 : (1 - tokens) / (perSecond * times));
  };
  const giveBack = (key: string, times = 1): void => {
    const bucket = buckets.get(key);
    if (bucket) bucket.tokens = Math.min(burst * times, bucket.tokens + 1);
  };
  return Object.assign(take, { giveBack });
}
