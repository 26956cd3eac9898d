import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { serializeError } from '../database/query-error.ts';
import { createBucketTable, createLeasedLimit } from './leased-limit.ts';
import { type Limit, type LimitOf, noLimit, type Rate } from './limit.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/** The tolerance for rounding errors. */
const ROUNDING = 1e-9;

/** A token bucket for each key in this process. */
export function createTokenBuckets({ perSecond, burst }: Rate, now: () => number): Limit {
  const buckets = new LRUCache<string, Bucket>({ max: 10_000 });
  const take = (key: string, times = 1): Promise<number> => {
    const nowMs = now();
    const bucket = buckets.get(key) ?? { tokens: burst * times, at: nowMs };
    const gained = ((nowMs - bucket.at) / 1000) * perSecond * times;
    const tokens = Math.min(burst * times, bucket.tokens + gained);
    const isAllowed = tokens >= 1 - ROUNDING;
    buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, at: nowMs });
    return Promise.resolve(isAllowed ? 0 : (1 - tokens) / (perSecond * times));
  };
  const giveBack = (key: string, times = 1): void => {
    const bucket = buckets.get(key);
    if (bucket) bucket.tokens = Math.min(burst * times, bucket.tokens + 1);
  };
  return Object.assign(take, { giveBack });
}

/** How long a call waits for a shared bucket, in milliseconds. */
const TIMEOUT_MS = 1000;

/** How long shared buckets are not used after a failure, in milliseconds. */
const PAUSE_MS = 5000;

/** Limits that all servers on one database share. */
export function createLimits({
  rateLimits,
  database,
  log,
  now,
}: {
  rateLimits: 'on' | 'off';
  database: Pick<Database, 'db' | 'kind'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}) {
  const clock = () => now().getTime();
  const table = createBucketTable(database);
  const isShared = database.kind === 'server';
  let pausedUntil = Number.NEGATIVE_INFINITY;

  const take: typeof table.take = async (request) => {
    if (clock() < pausedUntil) throw new Error('The shared limits are paused.');
    try {
      return await withTimeout(table.take(request), TIMEOUT_MS, 'The database took too long.');
    } catch (error) {
      pausedUntil = clock() + PAUSE_MS;
      log.warn(
        { err: serializeError(error as Error) },
        'the shared rate limits are unavailable, so each server counts alone for some seconds',
      );
      throw error;
    }
  };

  const paceOf: LimitOf = (name, rate) => {
    const local = createTokenBuckets(rate, clock);
    if (!isShared) return local;
    return createLeasedLimit(rate, local, clock, (key, request) =>
      // Client IPs are not stored.
      take({ ...request, bucket: `${name}: ${hash('sha256', key, 'base64url')}` }),
    );
  };

  return {
    /** Limits of callers. The settings can switch them off. */
    limitOf: rateLimits === 'on' ? paceOf : (): Limit => noLimit,

    /** Limits of outside services for this installation, which are always on. */
    paceOf,

    cleanUp: async (): Promise<void> => {
      if (isShared) await table.cleanUp();
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;
