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
  /** Ends the sessions of an account and frees its address. */
  closeAccount: (tx: Transaction, account: Owner) => Promise<void>;
  /** Deletes the rows of a person's files, at most so many; answers their readings. */
  deleteFiles: (userId: string, most: number) => Promise<Reading[]>;
  /** Deletes a person's questions, at most so many; answers how many there were. */
  deleteQuestions: (userId: string, most: number) => Promise<number>;
  /** Deletes the rows of a person's plan. */
  endSubscription: (tx: Transaction, userId: string) => Promise<void>;
  /** Deletes the account itself and all rows that are left of it. */
  deleteAccount: (tx: Transaction, userId: string) => Promise<void>;
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

/** Rows that go in one statement: few enough that others' calls soon come in between. */
const ROWS_AT_ONCE = 100;

/** How people delete their account with everything of it. */
export function createAccountDeletion(deps: AccountDeletionDependencies) {
  const { database, jobs, files, index, deletedAccounts, log } = deps;
  const rowsUnderWay = new Map<string, Promise<void>>();

  /** From here on the account is nobody's, and a job sees to it that nothing of it stays. */
  const close = (owner: Owner): Promise<void> =>
    database.transaction(async (tx) => {
      const { userId } = owner;
      await deletedAccounts.add(tx, userId);
      await deps.closeAccount(tx, owner);
      await jobs.enqueue<RemovalJob>(REMOVE, { userId }, { key: userId, tx });
    });

  const removeFiles = async (userId: string): Promise<void> => {
    let readings: Reading[];
    do {
      readings = await deps.deleteFiles(userId, ROWS_AT_ONCE);
      // A reading of a file without a row would end by itself, only later.
      await deps.cancelReadings(readings).catch((error: unknown) => {
        log.warn({ err: error }, 'the readings of a deleted account go on to their end');
      });
    } while (readings.length === ROWS_AT_ONCE);
  };

  const removeQuestions = async (userId: string): Promise<void> => {
    let removed: number;
    do removed = await deps.deleteQuestions(userId, ROWS_AT_ONCE);
    while (removed === ROWS_AT_ONCE);
  };

  const removeAllRows = async (userId: string): Promise<void> => {
    await removeFiles(userId);
    await removeQuestions(userId);
    // Plan, then account: in the order in which a question locks them.
    await database.transaction(async (tx) => {
      await deps.endSubscription(tx, userId);
      await deps.deleteAccount(tx, userId);
    });
  };

  /** The rows of a closed account; the call and the job share the work. */
  const removeRows = (userId: string): Promise<void> => {
    const removal =
      rowsUnderWay.get(userId) ?? removeAllRows(userId).finally(() => rowsUnderWay.delete(userId));
    rowsUnderWay.set(userId, removal);
    return removal;
  };

  /** Whatever is left of a closed account. Done again when a kill came in between. */
  const remove = async ({ userId }: RemovalJob): Promise<void> => {
    await removeRows(userId);
    await index.removeUser(userId);
    await files.removePrefix(userId);
    deps.forget(userId);
  };

  return {
    /** Makes the queue of removals known. */
    async define(): Promise<void> {
      await jobs.define<RemovalJob>(REMOVE, {
        handler: ({ data }) => remove(data),
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 30,
        retryDelaySeconds: 5,
        onFailed: async ({ userId }, error) => {
          log.error({ err: error, userId }, 'a deleted account left traces; the upkeep takes them');
        },
      });
    },

    /**
     * Deletes the caller's own account. From the answer on its tokens do not work and there are no
     * rows of it; bytes and index rows follow at once by a job, as do rows that could not be deleted.
     * @throws HttpError 403 for another address than the caller's.
     */
    async delete(caller: Owner, email: string): Promise<void> {
      if (email.toLowerCase() !== caller.email.toLowerCase()) throw notOwnAccount();
      await close(caller);
      await removeRows(caller.userId).catch((error: unknown) => {
        log.warn({ err: error }, 'the rows of a deleted account are left to its job');
      });
    },
  };
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;
