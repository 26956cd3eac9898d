import { createHmac } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { isAnyOf } from '../../platform/database/any-of.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { deletedContents } from './artifacts.tables.ts';

/**
 * Which bytes people have deleted that stand in a folder of theirs, so that no device brings them
 * back. Kept is a keyed hash, by which who reads the table learns nothing of them.
 */
export function createDeletedContents({ db }: Pick<Database, 'db'>, secret: string) {
  const key = createHmac('sha256', secret).update('artifacts:deleted-contents').digest();
  const nameOf = (sha256: string): string =>
    createHmac('sha256', key).update(sha256).digest('base64url');
  const among = (userId: string, contents: readonly string[]) =>
    and(eq(deletedContents.userId, userId), isAnyOf(deletedContents.content, contents));

  return {
    async remember(
      tx: Executor,
      userId: string,
      hashes: readonly string[],
      deletedAt: Date,
    ): Promise<void> {
      if (hashes.length === 0) return;
      const rows = hashes.map((sha256) => ({ userId, content: nameOf(sha256), deletedAt }));
      await tx.insert(deletedContents).values(rows).onConflictDoNothing();
    },

    /** The person wants some bytes again. */
    async forget(tx: Executor, userId: string, hashes: readonly string[]): Promise<void> {
      await tx.delete(deletedContents).where(among(userId, hashes.map(nameOf)));
    },

    /** Of some bytes, by their SHA-256, those that the person has deleted. */
    async among(
      userId: string,
      hashes: readonly string[],
      executor: Executor = db,
    ): Promise<Set<string>> {
      if (hashes.length === 0) return new Set();
      const byName = new Map(hashes.map((sha256) => [nameOf(sha256), sha256]));
      const rows = await executor
        .select({ content: deletedContents.content })
        .from(deletedContents)
        .where(among(userId, [...byName.keys()]));
      return new Set(rows.flatMap(({ content }) => byName.get(content) ?? []));
    },
  };
}

export type DeletedContents = ReturnType<typeof createDeletedContents>;
