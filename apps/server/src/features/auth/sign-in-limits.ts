import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { lockName } from '../../platform/database/sql.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';
import type { Network } from '../../platform/http/networks.ts';
import { attempts } from './auth.tables.ts';
import type { Secrets } from './secrets.ts';

export const QUARTER_MS = 15 * 60_000;
export const DAY_MS = 24 * 60 * 60_000;

export interface AttemptLimit {
  key: string;
  limit: number;
  windowMs: typeof QUARTER_MS | typeof DAY_MS;
}

const durationText = (ms: number): string => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
};

/** A 429 whose message ends with the time to wait. */
export const tooManyAttempts = (message: string, waitMs: number): HttpError =>
  tooManyRequests(`${message} ${durationText(waitMs)}.`, waitMs / 1000);

/**
 * Limits on attempts to sign in: sliding windows in the database, because they are counted in the
 * transaction of the attempt and must survive a restart.
 */
export function createSignInLimits({ config, storage }: Core, secrets: Secrets) {
  const { database } = storage;
  const isOn = config.rateLimits === 'on';

  const keyOf = (kind: string, subject: string): string => `${kind}:${secrets.pseudonym(subject)}`;

  /** A limit for each network of a call. `subject` is the limited address, or empty for all. */
  const perNetwork = (
    kind: string,
    networks: readonly Network[],
    { limit, windowMs }: Omit<AttemptLimit, 'key'>,
    subject = '',
  ): AttemptLimit[] =>
    networks.map(({ key, times }) => ({
      key: keyOf(kind, `${key}:${subject}`),
      limit: limit * times,
      windowMs,
    }));

  const record = async (tx: Executor, limits: readonly AttemptLimit[], time: Date) => {
    if (!isOn || limits.length === 0) return;
    await tx.insert(attempts).values(limits.map(({ key }) => ({ key, at: time })));
  };

  /**
   * Milliseconds until all limits allow another attempt, or 0. Locks the keys until the transaction
   * ends, so that concurrent attempts are counted one by one.
   */
  const waitFor = async (
    tx: Executor,
    limits: readonly AttemptLimit[],
    time: Date,
  ): Promise<number> => {
    if (!isOn) return 0;
    let wait = 0;
    // In a fixed order, so that two transactions cannot deadlock.
    for (const { key, limit, windowMs } of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const since = new Date(time.getTime() - windowMs);
      await lockName(tx, key);
      const recent = await tx
        .select({ at: attempts.at })
        .from(attempts)
        .where(and(eq(attempts.key, key), gt(attempts.at, since)))
        .orderBy(desc(attempts.at))
        .limit(limit);
      const oldest = recent[limit - 1];
      if (oldest) wait = Math.max(wait, oldest.at.getTime() - since.getTime());
    }
    return wait;
  };

  const failures = (
    kind: 'any' | 'provider' | 'passkey',
    networks: readonly Network[],
  ): AttemptLimit[] => {
    const limit = { limit: config.failedSignInsPerIp, windowMs: QUARTER_MS } as const;
    return perNetwork(`wrong:${kind}`, networks, limit);
  };

  return {
    keyOf,
    perNetwork,
    record,
    waitFor,

    /** The limits on failed sign-ins of all kinds from a network, which apply to codes. */
    failuresOf: (networks: readonly Network[]): AttemptLimit[] => failures('any', networks),

    /**
     * Counts a sign-in without a code as failed in advance, so that concurrent ones do not exceed the
     * limit. Returns a function that undoes this.
     * @throws HttpError 429 after too many failures
     */
    async presumeFailure(
      kind: 'provider' | 'passkey',
      networks: readonly Network[],
      time: Date,
    ): Promise<() => Promise<void>> {
      const limits = failures(kind, networks);
      const counted = [...limits, ...failures('any', networks)];
      const wait = await database.transaction(async (tx) => {
        const ms = await waitFor(tx, limits, time);
        if (ms === 0) await record(tx, counted, time);
        return ms;
      });
      if (wait > 0) throw tooManyAttempts('Too many sign-ins failed. Please try again in', wait);
      return () =>
        database.transaction(async (tx) => {
          for (const { key } of counted) {
            // Locked, so that two calls do not delete the same row.
            await lockName(tx, key);
            await tx.execute(sql`
              DELETE FROM attempts WHERE ctid = (
                SELECT ctid FROM attempts WHERE key = ${key} AND at = ${time.toISOString()} LIMIT 1)`);
          }
        });
    },
  };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;
