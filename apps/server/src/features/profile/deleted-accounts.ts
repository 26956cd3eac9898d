import { inArray, lte } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../platform/database/database.ts';
import { createGroupCommit } from '../../platform/database/group-commit.ts';
import { deletedAccounts } from './deleted-accounts.tables.ts';

/** How long it is known that an account was deleted, in milliseconds: longer than anything runs. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** People who are asked after in one statement. */
const MOST_ASKED = 250;

/**
 * Which accounts were deleted. What still runs for one of them, on whichever server, finds here that
 * nothing is to be kept any more, and the upkeep that what it finds is no loss.
 */
export function createDeletedAccounts({
  database: { db },
  now,
}: {
  database: Pick<Database, 'db'>;
  now: () => Date;
}) {
  const among = async (executor: Executor, userIds: readonly string[]): Promise<Set<string>> => {
    const rows = await executor
      .select({ userId: deletedAccounts.userId })
      .from(deletedAccounts)
      .where(inArray(deletedAccounts.userId, [...userIds]));
    return new Set(rows.map(({ userId }) => userId));
  };

  const has = createGroupCommit<string, boolean>({
    mostItems: MOST_ASKED,
    async commit(userIds) {
      const deleted = await among(db, [...new Set(userIds)]);
      return userIds.map((userId) => deleted.has(userId));
    },
  });

  return {
    /** Calls that come together ask the database once. */
    has,

    hasIn: async (tx: Transaction, userId: string): Promise<boolean> =>
      (await among(tx, [userId])).has(userId),

    /** To be called first in the transaction that deletes an account. */
    async add(tx: Transaction, userId: string): Promise<void> {
      await tx.insert(deletedAccounts).values({ userId, deletedAt: now() }).onConflictDoNothing();
    },

    /** Forgets those of which nothing can run any more. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - KEPT_MS);
      await db.delete(deletedAccounts).where(lte(deletedAccounts.deletedAt, before));
    },
  };
}

export type DeletedAccounts = ReturnType<typeof createDeletedAccounts>;
