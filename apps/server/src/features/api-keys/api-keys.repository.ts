import { and, desc, eq } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type ApiKeyRow, apiKeys } from './api-keys.tables.ts';

/** SQL over API keys. Every call names the owner, but for the one about the key that a call came with. */
export function createApiKeysRepository({ db }: Pick<Database, 'db'>) {
  return {
    list: (userId: string, executor: Executor = db): Promise<ApiKeyRow[]> =>
      executor
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.userId, userId))
        .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),

    /** Lets one transaction at a time add to a person's keys. */
    async lock(tx: Executor, userId: string): Promise<void> {
      await holdName(tx, `api-keys:${userId}`);
    },

    /** Whether the row was new: its name may be taken. */
    async insert(tx: Executor, row: ApiKeyRow): Promise<boolean> {
      const added = await tx
        .insert(apiKeys)
        .values(row)
        .onConflictDoNothing()
        .returning({ id: apiKeys.id });
      return added.length > 0;
    },

    /** The key of a hash with its owner's id. */
    async find(keyHash: string): Promise<ApiKeyRow | undefined> {
      const [row] = await db.select().from(apiKeys).where(eq(apiKeys.keyHash, keyHash));
      return row;
    },

    /** Whether there was such a key. */
    async delete(userId: string, id: string): Promise<boolean> {
      const gone = await db
        .delete(apiKeys)
        .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId)))
        .returning({ id: apiKeys.id });
      return gone.length > 0;
    },

    async deleteAll(tx: Executor, userId: string): Promise<void> {
      await tx.delete(apiKeys).where(eq(apiKeys.userId, userId));
    },
  };
}
