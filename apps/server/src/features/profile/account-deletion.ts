import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { DeletedAccounts } from './deleted-accounts.ts';
import { notOwnAccount } from './profile.errors.ts';

interface Reading {
  id: string;
  revision: number;
}

export interface AccountDeletionDependencies {
  database: Pick<Database, 'transaction'>;
  jobs: Jobs;
  files: Pick<FileStore, 'removePrefix'>;
  index: Pick<SearchIndex, 'removeUser'>;
  deletedAccounts: DeletedAccounts;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  /** Deletes the rows of a person's files; answers their readings. */
  deleteFiles: (tx: Transaction, userId: string) => Promise<Reading[]>;
  /** Deletes the rows of a person's plan. */
  endSubscription: (tx: Transaction, userId: string) => Promise<void>;
  /** Deletes the account itself and all rows that are left of it. */
  deleteAccount: (tx: Transaction, account: Owner) => Promise<void>;
  /** Ends the readings of files, waiting or under way. */
  cancelReadings: (readings: readonly Reading[]) => Promise<void>;
  /** Makes whoever remembers something of a person forget it. */
  forget: (userId: string) => void;
}

type Owner = Pick<Caller, 'userId' | 'email'>;

interface RemovalJob {
  userId: string;
}

const REMOVE = 'remove-account';

/** How people delete their account with everything of it. */
export function createAccountDeletion(deps: AccountDeletionDependencies) {
  const { database, jobs, files, index, deletedAccounts, log } = deps;

  /** What is kept beside the database. Done again when a kill came in between. */
  const removeTraces = async ({ userId }: RemovalJob): Promise<void> => {
    await index.removeUser(userId);
    await files.removePrefix(userId);
    deps.forget(userId);
  };

  /** Files, plan, account: in the order in which uploads and questions lock them. */
  const deleteRows = (owner: Owner): Promise<Reading[]> =>
    database.transaction(async (tx) => {
      const { userId } = owner;
      await deletedAccounts.add(tx, userId);
      const readings = await deps.deleteFiles(tx, userId);
      await deps.endSubscription(tx, userId);
      await deps.deleteAccount(tx, owner);
      await jobs.enqueue<RemovalJob>(REMOVE, { userId }, { key: userId, tx });
      return readings;
    });

  return {
    /** Makes the queue of removals known. */
    async define(): Promise<void> {
      await jobs.define<RemovalJob>(REMOVE, {
        handler: ({ data }) => removeTraces(data),
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 10,
        retryDelaySeconds: 5,
        onFailed: async ({ userId }, error) => {
          log.error({ err: error, userId }, 'a deleted account left traces; the upkeep takes them');
        },
      });
    },

    /**
     * Deletes the caller's own account. From the answer on there are no rows of it and its tokens do
     * not work; bytes and index rows follow at once by a job.
     * @throws HttpError 403 for another address than the caller's.
     */
    async delete(caller: Owner, email: string): Promise<void> {
      if (email.toLowerCase() !== caller.email.toLowerCase()) throw notOwnAccount();
      const readings = await deleteRows(caller);
      // A reading of a file without a row would end by itself, only later.
      await deps.cancelReadings(readings).catch((error: unknown) => {
        log.warn({ err: error }, 'the readings of a deleted account go on to their end');
      });
    },
  };
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;
