import type { Database, Transaction } from '../../platform/database/database.ts';
import * as errors from './auth.errors.ts';
import type { AuthRepository } from './auth.repository.ts';
import { networkOf } from '../../platform/http/networks.ts';
import type { Secrets } from './secrets.ts';

export interface FailedSignInsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: AuthRepository;
  secrets: Secrets;
  /** Sign-ins that may fail from one network in 15 minutes, by whatever means; null for any number. */
  limit: number | null;
}

/** Counts the sign-ins that failed from the caller's network. */
export function createFailedSignIns(deps: FailedSignInsDependencies) {
  const { database, repository, secrets, limit } = deps;
  const keyOf = (ip: string) => `wrong:ip:${secrets.pseudonym(networkOf(ip))}`;

  /** Milliseconds until the network may try again; 0 when it may now. */
  const waitMs = async (tx: Transaction, ip: string, at: Date): Promise<number> =>
    limit === null ? 0 : repository.waitFor(tx, [{ key: keyOf(ip), limit }], at);
  const record = async (tx: Transaction, ip: string, at: Date): Promise<void> => {
    if (limit !== null) await repository.recordAttempts(tx, [keyOf(ip)], at);
  };

  return {
    waitMs,
    record,

    /**
     * Counts a sign-in as failed before it is looked at, so that many at once do not get past the
     * limit; answers what takes that back.
     * @throws HttpError 429 when too many failed.
     */
    async presume(ip: string, at: Date): Promise<() => Promise<void>> {
      const wait = await database.transaction(async (tx) => {
        const ms = await waitMs(tx, ip, at);
        if (ms === 0) await record(tx, ip, at);
        return ms;
      });
      if (wait > 0) throw errors.tooManyFailures(wait / 1000);
      return async () => {
        if (limit !== null)
          await database.transaction((tx) => repository.forgetAttempt(tx, keyOf(ip), at));
      };
    },
  };
}

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;
