import type { Database } from '../../platform/database/database.ts';
import type { Network } from '../../platform/http/networks.ts';
import * as errors from './auth.errors.ts';
import { type AttemptLimit, type AuthRepository, QUARTER_MS } from './auth.repository.ts';
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
  const limitsOf = (kind: 'any' | 'provider', networks: readonly Network[]): AttemptLimit[] =>
    networks.flatMap(({ key, times }) =>
      limit === null
        ? []
        : [
            {
              key: `wrong:${kind}:${secrets.pseudonym(key)}`,
              limit: limit * times,
              windowMs: QUARTER_MS,
            },
          ],
    );

  return {
    /** The limits on wrong codes from where a call came; none where there are none. */
    limitsFor: (networks: readonly Network[]): AttemptLimit[] => limitsOf('any', networks),

    /**
     * Counts a sign-in by a provider as failed before it is looked at, so that many at once do not
     * get past the limit; answers what takes that back.
     * @throws HttpError 429 when too many failed.
     */
    async presume(networks: readonly Network[], at: Date): Promise<() => Promise<void>> {
      const limits = limitsOf('provider', networks);
      const keys = [...limits, ...limitsOf('any', networks)].map(({ key }) => key);
      if (keys.length === 0) return () => Promise.resolve();
      const wait = await database.transaction(async (tx) => {
        const ms = await repository.waitFor(tx, limits, at);
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
