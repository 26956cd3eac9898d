import { inArray, lte } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../platform/database/database.ts';
import { createGroupCommit } from '../../platform/database/group-commit.ts';
import { deletedAccounts } from './deletion.tables.ts';

/** How long the id of a deleted account is stored, in milliseconds: longer than any job runs. */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** Ids in one statement. */
const MAX_BATCH = 250;

/**
 * Which accounts were deleted. Work that still runs for such an account, on any server, finds out
 * here that it must not store anything.
 */
export function createDeletedAccounts({ db }: Pick<Database, 'db'>, now: () => Date) {
  const among = async (executor: Executor, userIds: readonly string[]): Promise<Set<string>> => {
    const rows = await executor
      .select({ userId: deletedAccounts.userId })
      .from(deletedAccounts)
      .where(inArray(deletedAccounts.userId, [...userIds]));
    return new Set(rows.map(({ userId }) => userId));
  };

  return {
    /** Concurrent calls share one statement. */
    has: createGroupCommit<string, boolean>({
      mostItems: MAX_BATCH,
      async commit(userIds) {
        const deleted = await among(db, [...new Set(userIds)]);
        return userIds.map((userId) => deleted.has(userId));
      },
    }),

    hasIn: async (tx: Transaction, userId: string): Promise<boolean> =>
      (await among(tx, [userId])).has(userId),

    /** Must come first in the transaction that deletes an account. */
    async add(tx: Transaction, userId: string): Promise<void> {
      await tx.insert(deletedAccounts).values({ userId, deletedAt: now() }).onConflictDoNothing();
    },

    /** Deletes ids that are no longer needed. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - RETENTION_MS);
      await db.delete(deletedAccounts).where(lte(deletedAccounts.deletedAt, before));
    },
  };
}

export type DeletedAccounts = ReturnType<typeof createDeletedAccounts>;
