import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import { serializeError } from '../database/query-error.ts';
import { createBucketTable, createLeasedLimit } from './leased-limit.ts';
import { type Limit, type LimitOf, noLimit } from './limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** Maximum wait of a call for a shared bucket, in milliseconds. */
const TIMEOUT_MS = 1000;

/** How long shared buckets are not asked again after a failure, in milliseconds. */
const REST_MS = 5000;

async function withTimeout<T>(task: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The database took too long.')), ms);
  try {
    return await Promise.race([task, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits that all servers on one database share. A process that is alone counts itself. */
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
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** While the table does not answer, it is not asked for some seconds. */
  const take: typeof table.take = async (asked) => {
    if (clock() < restsUntil) throw new Error('The shared limits rest.');
    try {
      return await withTimeout(table.take(asked), TIMEOUT_MS);
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
      // Client IPs are not stored.
      take: (key, asked) =>
        take({ ...asked, bucket: `${name}: ${hash('sha256', key, 'base64url')}` }),
    });
  };

  return {
    /** Limits of callers. The settings can switch them off. */
    limitOf: rateLimits === 'on' ? paceOf : (): Limit => noLimit,

    /** Limits that others set for this installation, which are always on. */
    paceOf,

    cleanUp: async (): Promise<void> => {
      if (isShared) await table.cleanUp();
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;
