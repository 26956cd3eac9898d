import { lte } from 'drizzle-orm';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { deletedAccounts } from './deleted-accounts.tables.ts';

/** How long it is known that an account was deleted, in milliseconds: longer than anything runs. */
const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * Which accounts were deleted. What still runs for one of them finds here that nothing is to be kept
 * any more, and the upkeep that what it finds is no loss.
 */
export async function openDeletedAccounts({
  database,
  now,
}: {
  database: Pick<Database, 'db' | 'afterCommit'>;
  now: () => Date;
}) {
  const { db } = database;
  const rows = await db.select({ userId: deletedAccounts.userId }).from(deletedAccounts);
  const known = new Set(rows.map(({ userId }) => userId));

  return {
    has: (userId: string): boolean => known.has(userId),

    /** To be called first in the transaction that deletes an account. */
    async add(tx: Transaction, userId: string): Promise<void> {
      await tx.insert(deletedAccounts).values({ userId, deletedAt: now() }).onConflictDoNothing();
      database.afterCommit(() => known.add(userId));
    },

    /** Forgets those of which nothing can run any more. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - KEPT_MS);
      const old = await db
        .delete(deletedAccounts)
        .where(lte(deletedAccounts.deletedAt, before))
        .returning({ userId: deletedAccounts.userId });
      for (const { userId } of old) known.delete(userId);
    },
  };
}

export type DeletedAccounts = Awaited<ReturnType<typeof openDeletedAccounts>>;
