import type { Keyword } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '../../platform/database/database.ts';
import * as errors from './keywords.errors.ts';
import { createKeywordsRepository } from './keywords.repository.ts';
import type { KeywordRow } from './keywords.tables.ts';

/** What everybody starts with; these are never archived. */
export const DEFAULT_KEYWORDS = ['Personal', 'Work', 'Finance', 'Health', 'Travel', 'Education'];

export interface KeywordsDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  now: () => Date;
}

const present = ({ id, keyword, isActive, isDefault }: KeywordRow): Keyword => ({
  id,
  keyword,
  isActive,
  isDefault,
});

/** Each person's keywords. */
export function createKeywordsService({ database, now }: KeywordsDependencies) {
  const repository = createKeywordsRepository(database);

  return {
    /** All keywords, archived ones too, the defaults first. */
    list: async (userId: string): Promise<Keyword[]> =>
      (await repository.list(userId)).map(present),

    /**
     * Adds a keyword.
     * @throws HttpError 409 when the person has it already, active or archived.
     */
    async add(userId: string, given: string): Promise<Keyword> {
      // Letters with accents are kept in one form, however they were typed.
      const keyword = given.normalize('NFC');
      return database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        // Compared here: what the database's lower() does to letters beyond ASCII depends on its locale.
        const twin = (await repository.list(userId, tx)).find(
          (row) => row.keyword.toLowerCase() === keyword.toLowerCase(),
        );
        if (twin) {
          throw twin.isActive
            ? errors.keywordExists(twin.keyword)
            : errors.keywordArchived(twin.keyword);
        }
        const row: KeywordRow = {
          id: randomUUID(),
          userId,
          keyword,
          isActive: true,
          isDefault: false,
          createdAt: now(),
        };
        const [stored] = await repository.insert(tx, [row]);
        if (!stored) throw errors.keywordExists(keyword);
        return present(stored);
      });
    },

    /**
     * Archives a keyword, or makes it active again.
     * @throws HttpError 404 when it is not the person's own, 409 when it is a default one.
     */
    async setActive(userId: string, id: string, isActive: boolean): Promise<Keyword> {
      const current = await repository.find(userId, id);
      if (!current) throw errors.keywordNotFound();
      if (current.isDefault && !isActive) throw errors.defaultKeyword();
      const row = await repository.setActive(userId, id, isActive);
      if (!row) throw errors.keywordNotFound();
      return present(row);
    },

    /** Gives a new account the default keywords. */
    async addDefaults(tx: Executor, userId: string): Promise<void> {
      const at = now().getTime();
      await repository.insert(
        tx,
        DEFAULT_KEYWORDS.map((keyword, index) => ({
          id: randomUUID(),
          userId,
          keyword,
          isActive: true,
          isDefault: true,
          // A millisecond apart keeps them in their order.
          createdAt: new Date(at + index),
        })),
      );
    },
  };
}

export type KeywordsService = ReturnType<typeof createKeywordsService>;
