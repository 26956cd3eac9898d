import { createHmac } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, isAnyOf } from '../../platform/database/sql.ts';
import type { Database, Executor } from '../../platform/database/database.ts';

const deletedContents = pgTable(
  'deleted_contents',
  {
    userId: uuid('user_id').notNull(),
    content: text().notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.content] })],
);

/**
 * Stores which contents of folders the user deleted, so that devices do not upload them again. The table
 * has keyed hashes, which reveal nothing about the files.
 */
export function createDeletedContents({ db }: Pick<Database, 'db'>, secret: string) {
  const key = createHmac('sha256', secret).update('artifacts:deleted-contents').digest();
  const hashOf = (sha256: string): string =>
    createHmac('sha256', key).update(sha256).digest('base64url');
  const isOneOf = (userId: string, contents: readonly string[]) =>
    and(eq(deletedContents.userId, userId), isAnyOf(deletedContents.content, contents));

  return {
    async add(
      tx: Executor,
      userId: string,
      hashes: readonly string[],
      deletedAt: Date,
    ): Promise<void> {
      if (hashes.length === 0) return;
      const rows = hashes.map((sha256) => ({ userId, content: hashOf(sha256), deletedAt }));
      await tx.insert(deletedContents).values(rows).onConflictDoNothing();
    },

    async remove(tx: Executor, userId: string, hashes: readonly string[]): Promise<void> {
      await tx.delete(deletedContents).where(isOneOf(userId, hashes.map(hashOf)));
    },

    /** Returns the given SHA-256 hashes of contents that the user deleted. */
    async find(
      userId: string,
      hashes: readonly string[],
      executor: Executor = db,
    ): Promise<Set<string>> {
      if (hashes.length === 0) return new Set();
      const byContent = new Map(hashes.map((sha256) => [hashOf(sha256), sha256]));
      const rows = await executor
        .select({ content: deletedContents.content })
        .from(deletedContents)
        .where(isOneOf(userId, [...byContent.keys()]));
      return new Set(rows.flatMap(({ content }) => byContent.get(content) ?? []));
    },
  };
}
