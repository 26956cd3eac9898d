import type { Database, Transaction } from '../../platform/database/database.ts';
import * as errors from './auth.errors.ts';
import type { AuthRepository } from './auth.repository.ts';
import { networkOf } from './network.ts';
import type { Secrets } from './secrets.ts';

/** Sign-ins that may fail from one network in 15 minutes, by whatever means. */
const FAILURES_PER_NETWORK = 20;

export interface FailedSignInsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: AuthRepository;
  secrets: Secrets;
  /** Whether attempts are counted at all. */
  limited: boolean;
}

/** Counts the sign-ins that failed from the caller's network. */
export function createFailedSignIns(deps: FailedSignInsDependencies) {
  const { database, repository, secrets, limited } = deps;
  const keyOf = (ip: string) => `wrong:ip:${secrets.pseudonym(networkOf(ip))}`;

  /** Milliseconds until the network may try again; 0 when it may now. */
  const waitMs = async (tx: Transaction, ip: string, at: Date): Promise<number> =>
    limited ? repository.waitFor(tx, [{ key: keyOf(ip), limit: FAILURES_PER_NETWORK }], at) : 0;
  const record = async (tx: Transaction, ip: string, at: Date): Promise<void> => {
    if (limited) await repository.recordAttempts(tx, [keyOf(ip)], at);
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
        if (limited)
          await database.transaction((tx) => repository.forgetAttempt(tx, keyOf(ip), at));
      };
    },
  };
}

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;
