import { eq, sql } from 'drizzle-orm';
import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { Database, Executor } from '../../platform/database/database.ts';

/** A table of its own, so that no change of a file waits for whoever holds the account's row. */
export const libraryVersions = pgTable('library_versions', {
  userId: uuid('user_id').primaryKey(),
  version: bigint('version', { mode: 'number' }).notNull(),
});

/**
 * Says that the libraries of some people are other ones once the transaction commits. To be called
 * last in every transaction that adds, reads, renames, moves, tags, archives or deletes a file: other
 * changes of the same person wait from here on.
 */
export type LibraryChanged = (tx: Executor, ...userIds: string[]) => Promise<void>;

/**
 * A number for each person's library, another one after every change: what any server has made of the
 * files before is not of them now.
 */
export function createLibraryVersions({ db }: Pick<Database, 'db'>) {
  return {
    /** Whoever has never had a file has 0. */
    async of(userId: string): Promise<number> {
      const [row] = await db
        .select({ version: libraryVersions.version })
        .from(libraryVersions)
        .where(eq(libraryVersions.userId, userId));
      return row?.version ?? 0;
    },

    /** Nothing for people who are gone. Rows of several people are held in the order of their ids. */
    async raise(tx: Executor, userIds: readonly string[]): Promise<void> {
      if (userIds.length === 0) return;
      await tx.execute(sql`
        INSERT INTO library_versions AS own (user_id, version)
        SELECT id, 1 FROM users WHERE id = ANY(${sql.param(userIds)}::uuid[]) ORDER BY id
        ON CONFLICT (user_id) DO UPDATE SET version = own.version + 1`);
    },
  };
}
