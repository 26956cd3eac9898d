import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { heldAccount } from '../../platform/database/held-account.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { shares, type ShareRow } from './shares.tables.ts';

/** SQL over shares. Every call names the owner, but for the one that a link itself opens. */
export function createSharesRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** Keeps a share, or answers the one that its entry has already; undefined without the entry. */
    async insert({ id, userId, historyId, createdAt }: ShareRow): Promise<ShareRow | undefined> {
      // The entry is held while its share is written: it may go before or after, but not between.
      await db.execute(sql`
        INSERT INTO ${shares} (id, user_id, history_id, created_at)
        SELECT ${id}::uuid, account.id, entry.id, ${createdAt.toISOString()}::timestamptz
        FROM ${heldAccount(userId)} JOIN history AS entry ON entry.user_id = account.id
        WHERE entry.id = ${historyId} FOR KEY SHARE OF entry
        ON CONFLICT DO NOTHING`);
      const [kept] = await db
        .select()
        .from(shares)
        .where(and(eq(shares.userId, userId), eq(shares.historyId, historyId)));
      return kept;
    },

    async find(id: string): Promise<ShareRow | undefined> {
      const [row] = await db.select().from(shares).where(eq(shares.id, id));
      return row;
    },

    /** Newest first; `after` is the last row of the page before. */
    list(userId: string, limit?: number, after?: DatedRow): Promise<ShareRow[]> {
      const query = db
        .select()
        .from(shares)
        .where(and(eq(shares.userId, userId), olderThan(shares, after)))
        .orderBy(desc(shares.createdAt), desc(shares.id));
      return limit === undefined ? query : query.limit(limit);
    },

    async count(userId: string): Promise<number> {
      const [row] = await db.select({ n: count() }).from(shares).where(eq(shares.userId, userId));
      return row?.n ?? 0;
    },

    /** Whether there was such a share. */
    async delete(userId: string, id: string): Promise<boolean> {
      const gone = await db
        .delete(shares)
        .where(and(eq(shares.id, id), eq(shares.userId, userId)))
        .returning({ id: shares.id });
      return gone.length > 0;
    },
  };
}
