import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import { serializeError } from '../database/query-error.ts';
import { createBucketTable } from './bucket-table.ts';
import { createLeasedLimit } from './leased-limit.ts';
import { type Limit, type LimitOf, noLimit } from './limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** How long a call waits for a shared bucket at most, in milliseconds. */
const PATIENCE_MS = 1000;

/** How long buckets that did not answer are left alone, in milliseconds. */
const REST_MS = 5000;

export interface LimitsOptions {
  rateLimits: 'on' | 'off';
  database: Pick<Database, 'db' | 'kind'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}

/** Settles as the task does, or rejects when that takes too long. */
async function inTime<T>(task: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The database took too long.')), ms);
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits that all servers on one database share; where there is one process alone, it counts itself. */
export function createLimits({ rateLimits, database, log, now }: LimitsOptions) {
  const clock = () => now().getTime();
  const table = createBucketTable(database);
  const isShared = database.kind === 'server';
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** As the table takes; what it costs when that is down are a few calls' patience. */
  const take: typeof table.take = async (asked) => {
    if (clock() < restsUntil) throw new Error('The shared limits rest.');
    try {
      return await inTime(table.take(asked), PATIENCE_MS);
    } catch (error) {
      restsUntil = clock() + REST_MS;
      log.warn(
        { err: serializeError(error as Error) },
        'each server counts calls by itself for some seconds',
      );
      throw error;
    }
  };

  const paceOf: LimitOf = (name, rate) => {
    const own = createTokenBuckets(rate, clock);
    if (!isShared) return own;
    return createLeasedLimit({
      rate,
      meanwhile: own,
      now: clock,
      // Addresses of people are nothing to keep.
      take: (key, asked) =>
        take({ ...asked, bucket: `${name}: ${hash('sha256', key, 'base64url')}` }),
    });
  };

  return {
    /** Limits of callers, which are off where the settings say so. */
    limitOf: rateLimits === 'on' ? paceOf : (): Limit => noLimit,

    /** Limits that others set to this installation: they hold whatever the settings say. */
    paceOf,

    /** Forgets what says nothing any more. */
    cleanUp: async (): Promise<void> => {
      if (isShared) await table.cleanUp();
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;
