import type { Database } from '../../platform/database/database.ts';
import * as errors from './auth.errors.ts';
import { type AttemptLimit, type AuthRepository, QUARTER_MS } from './auth.repository.ts';
import { networkOf } from './network.ts';
import type { Secrets } from './secrets.ts';

export interface FailedSignInsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: AuthRepository;
  secrets: Secrets;
  /** Sign-ins that may fail from one network in 15 minutes, by whatever means; null for any number. */
  limit: number | null;
}

/**
 * Counts the sign-ins that failed from the caller's network. Codes wait for failures of all means;
 * what a provider vouches for cannot be guessed, and does not wait for the wrong codes of neighbours.
 */
export function createFailedSignIns(deps: FailedSignInsDependencies) {
  const { database, repository, secrets, limit } = deps;
  const keyOf = (kind: 'any' | 'provider', ip: string) =>
    `wrong:${kind}:${secrets.pseudonym(networkOf(ip))}`;
  const limitOf = (key: string): AttemptLimit[] =>
    limit === null ? [] : [{ key, limit, windowMs: QUARTER_MS }];

  return {
    /** The limit on wrong codes from a network; none where there is none. */
    limitFor: (ip: string): AttemptLimit[] => limitOf(keyOf('any', ip)),

    /**
     * Counts a sign-in by a provider as failed before it is looked at, so that many at once do not
     * get past the limit; answers what takes that back.
     * @throws HttpError 429 when too many failed.
     */
    async presume(ip: string, at: Date): Promise<() => Promise<void>> {
      if (limit === null) return () => Promise.resolve();
      const keys = [keyOf('any', ip), keyOf('provider', ip)];
      const wait = await database.transaction(async (tx) => {
        const ms = await repository.waitFor(tx, limitOf(keyOf('provider', ip)), at);
        if (ms === 0) await repository.recordAttempts(tx, keys, at);
        return ms;
      });
      if (wait > 0) throw errors.tooManyFailures(wait / 1000);
      return () =>
        database.transaction(async (tx) => {
          for (const key of keys) await repository.forgetAttempt(tx, key, at);
        });
    },
  };
}

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;
