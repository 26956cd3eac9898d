import { and, asc, desc, eq } from 'drizzle-orm';
import { holdName } from '../../platform/database/advisory-lock.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type KeywordRow, keywords } from './keywords.tables.ts';

/** SQL over keywords. Every call names the owner. */
export function createKeywordsRepository({ db }: Pick<Database, 'db'>) {
  return {
    list: (userId: string, executor: Executor = db): Promise<KeywordRow[]> =>
      executor
        .select()
        .from(keywords)
        .where(eq(keywords.userId, userId))
        .orderBy(desc(keywords.isDefault), asc(keywords.createdAt), asc(keywords.id)),

    /** Lets one transaction at a time change a person's keywords. */
    async lock(tx: Executor, userId: string): Promise<void> {
      await holdName(tx, `keywords:${userId}`);
    },

    /** Answers the rows that were new; one whose name is taken is left out. */
    insert: (executor: Executor, rows: readonly KeywordRow[]): Promise<KeywordRow[]> =>
      executor
        .insert(keywords)
        .values([...rows])
        .onConflictDoNothing()
        .returning(),

    async find(userId: string, id: string): Promise<KeywordRow | undefined> {
      const [row] = await db
        .select()
        .from(keywords)
        .where(and(eq(keywords.id, id), eq(keywords.userId, userId)));
      return row;
    },

    async setActive(
      userId: string,
      id: string,
      isActive: boolean,
    ): Promise<KeywordRow | undefined> {
      const [row] = await db
        .update(keywords)
        .set({ isActive })
        .where(and(eq(keywords.id, id), eq(keywords.userId, userId)))
        .returning();
      return row;
    },
  };
}
