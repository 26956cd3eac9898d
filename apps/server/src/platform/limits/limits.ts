import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { withTimeout } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { serializeError } from '../database/query-error.ts';
import { createBucketTable, createLeasedLimit } from './leased-limit.ts';
import { type Limit, type LimitOf, noLimit } from './limit.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** Maximum wait of a call for a shared bucket, in milliseconds. */
const TIMEOUT_MS = 1000;

/** How long shared buckets are not asked again after a failure, in milliseconds. */
const REST_MS = 5000;

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
      return await withTimeout(table.take(asked), TIMEOUT_MS, 'The database took too long.');
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
    return createLeasedLimit(rate, own, clock, (key, asked) =>
      // Client IPs are not stored.
      take({ ...asked, bucket: `${name}: ${hash('sha256', key, 'base64url')}` }),
    );
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
