import { eq, sql } from 'drizzle-orm';
import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { Database, Executor } from '../../platform/database/database.ts';

/** A separate table, so that changes of files do not wait for locks on the account's row. */
const libraryVersions = pgTable('library_versions', {
  userId: uuid('user_id').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
});

/**
 * Raises the library versions of users. Must come last in every transaction that changes files or
 * their text, because other changes of the same user wait from then on.
 */
export type LibraryChanged = (tx: Executor, ...userIds: string[]) => Promise<void>;

/** A version of each user's library, which invalidates caches on all servers when files change. */
export function createLibraryVersions({ db }: Pick<Database, 'db'>) {
  return {
    /** 0 before the first file. */
    async of(userId: string): Promise<number> {
      const [row] = await db
        .select({ version: libraryVersions.version })
        .from(libraryVersions)
        .where(eq(libraryVersions.userId, userId));
      return row?.version ?? 0;
    },

    /** Locks rows in the order of the ids. Deleted accounts are skipped. */
    async raise(tx: Executor, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      await tx.execute(sql`
        INSERT INTO library_versions AS own (user_id, version)
        SELECT id, 1 FROM users WHERE id = ANY(${sql.param(userIds)}::uuid[]) ORDER BY id
        ON CONFLICT (user_id) DO UPDATE SET version = own.version + 1`);
    },
  };
}
