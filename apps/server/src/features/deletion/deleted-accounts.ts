import { lte } from 'drizzle-orm';
import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant, isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor, Transaction } from '../../platform/database/database.ts';
import { createGroupCommit } from '../../platform/database/group-commit.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';

/** Ids of deleted accounts, without anything that identifies the user. */
const deletedAccounts = pgTable('deleted_accounts', {
  userId: uuid('user_id').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
});

const RETENTION_MS = 30 * 24 * 3_600_000;

const MAX_BATCH = 250;

/** Records deleted accounts, so that work still running on any server does not store data for them. */
export function createDeletedAccounts({ db }: Pick<Database, 'db'>, now: () => Date) {
  const deletedIn = async (
    executor: Executor,
    userIds: readonly string[],
  ): Promise<Set<string>> => {
    const rows = await executor
      .select({ userId: deletedAccounts.userId })
      .from(deletedAccounts)
      .where(isAnyOf(deletedAccounts.userId, userIds));
    return new Set(rows.map(({ userId }) => userId));
  };

  return {
    has: createGroupCommit<string, boolean>({
      maxItems: MAX_BATCH,
      async commit(userIds) {
        const deleted = await deletedIn(db, userIds);
        return userIds.map((userId) => deleted.has(userId));
      },
    }),

    hasIn: async (tx: Transaction, userId: string): Promise<boolean> =>
      (await deletedIn(tx, [userId])).has(userId),

    /** Must come first in the transaction that deletes an account. */
    async add(tx: Transaction, userId: string): Promise<void> {
      await tx.insert(deletedAccounts).values({ userId, deletedAt: now() }).onConflictDoNothing();
    },

    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - RETENTION_MS);
      await db.delete(deletedAccounts).where(lte(deletedAccounts.deletedAt, before));
    },
  };
}

type IsDeleted = (userId: string) => Promise<boolean>;

/** Cleans up after a write, even if it failed and stored only a part. */
async function writeThen<Written>(
  written: Promise<Written>,
  cleanUp: () => Promise<unknown>,
): Promise<Written> {
  await written.catch(() => undefined);
  await cleanUp();
  return written;
}

/** A file store that deletes files written for an account that was deleted in the meantime. */
export function guardFiles(files: FileStore, isDeleted: IsDeleted): FileStore {
  return {
    ...files,
    write: (key, content) =>
      writeThen(files.write(key, content), async () => {
        const [userId = ''] = key.split('/');
        if (await isDeleted(userId)) await files.removePrefix(userId);
      }),
  };
}

/** A search index that deletes entries written for such an account. */
export function guardIndex(index: SearchIndex, isDeleted: IsDeleted): SearchIndex {
  const cleanUp = async (userId: string): Promise<void> => {
    if (await isDeleted(userId)) await index.removeUser(userId);
  };
  return {
    ...index,
    replace: (userId, artifacts) =>
      writeThen(index.replace(userId, artifacts), () => cleanUp(userId)),
    addVectors: (userId, model, vectors) =>
      writeThen(index.addVectors(userId, model, vectors), () => cleanUp(userId)),
    completeModel: (userId, model) =>
      writeThen(index.completeModel(userId, model), () => cleanUp(userId)),
  };
}
