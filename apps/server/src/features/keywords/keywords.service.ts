import type { Keyword } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '../../platform/database/database.ts';
import * as errors from './keywords.errors.ts';
import { createKeywordsRepository } from './keywords.repository.ts';
import type { KeywordRow } from './keywords.tables.ts';

/** What everybody starts with; these are never archived. */
const DEFAULT_KEYWORDS = ['Personal', 'Work', 'Finance', 'Health', 'Travel', 'Education'];

export interface KeywordsDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  /** How many of a person's files carry each keyword, by its spelling in their list. */
  countFiles: (userId: string) => Promise<ReadonlyMap<string, number>>;
  now: () => Date;
}

/**
 * What makes keywords the same: case does not count, nor how accents are encoded. Compared here, as
 * what the database's lower() does to letters beyond ASCII depends on its locale.
 */
const keyOf = (keyword: string): string => keyword.normalize('NFC').toLowerCase();

const present = (
  { id, keyword, isActive, isDefault, createdAt }: KeywordRow,
  files: number | null = null,
): Keyword => ({
  id,
  keyword,
  isActive,
  isDefault,
  createdDate: createdAt.toISOString(),
  files,
});

/** Each person's keywords. */
export function createKeywordsService({ database, countFiles, now }: KeywordsDependencies) {
  const repository = createKeywordsRepository(database);

  const newRow = (userId: string, keyword: string): KeywordRow => ({
    id: randomUUID(),
    userId,
    keyword,
    isActive: true,
    isDefault: false,
    createdAt: now(),
  });

  const spellings = (rows: readonly KeywordRow[]): Map<string, string> =>
    new Map(rows.map(({ keyword }) => [keyOf(keyword), keyword]));

  return {
    /** All keywords, archived ones too, the defaults first. */
    list: async (userId: string): Promise<Keyword[]> =>
      (await repository.list(userId)).map((row) => present(row)),

    /** The same, with how many files carry each. */
    async listWithFiles(userId: string): Promise<Keyword[]> {
      const [rows, files] = await Promise.all([repository.list(userId), countFiles(userId)]);
      return rows.map((row) => present(row, files.get(row.keyword) ?? 0));
    },

    /**
     * Adds a keyword.
     * @throws HttpError 409 when the person has it already, active or archived.
     */
    async add(userId: string, given: string): Promise<Keyword> {
      // Letters with accents are kept in one form, however they were typed.
      const keyword = given.normalize('NFC');
      return database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        const twin = (await repository.list(userId, tx)).find(
          (row) => keyOf(row.keyword) === keyOf(keyword),
        );
        if (twin) {
          throw twin.isActive
            ? errors.keywordExists(twin.keyword)
            : errors.keywordArchived(twin.keyword);
        }
        const [stored] = await repository.insert(tx, [newRow(userId, keyword)]);
        if (!stored) throw errors.keywordExists(keyword);
        return present(stored);
      });
    },

    /**
     * The keywords as the person's list spells them; those that are not in it are added to it.
     * Given twice, or in another case, a keyword comes once, as it was given first.
     */
    async ensure(tx: Executor, userId: string, given: readonly string[]): Promise<string[]> {
      if (given.length === 0) return [];
      await repository.lock(tx, userId);
      const known = spellings(await repository.list(userId, tx));
      const wanted = new Map<string, string>();
      for (const keyword of given) {
        const key = keyOf(keyword);
        if (!wanted.has(key)) wanted.set(key, keyword.normalize('NFC'));
      }
      const missing = [...wanted].filter(([key]) => !known.has(key));
      if (missing.length > 0) {
        const rows = missing.map(([, keyword]) => newRow(userId, keyword));
        await repository.insert(tx, rows);
      }
      return [...wanted].map(([key, keyword]) => known.get(key) ?? keyword);
    },

    /** Adds the keywords that the person does not have yet, as they were elsewhere; all or none. */
    takeIn: (
      userId: string,
      given: readonly Pick<KeywordRow, 'keyword' | 'isActive' | 'createdAt'>[],
    ): Promise<{ added: number; present: number }> =>
      database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        const known = spellings(await repository.list(userId, tx));
        const missing = new Map<string, KeywordRow>();
        for (const { keyword, ...rest } of given) {
          const key = keyOf(keyword);
          if (known.has(key) || missing.has(key)) continue;
          missing.set(key, { ...newRow(userId, keyword.normalize('NFC')), ...rest });
        }
        if (missing.size > 0) await repository.insert(tx, [...missing.values()]);
        return { added: missing.size, present: given.length - missing.size };
      }),

    /** The keywords as the person's list spells them; unknown ones stay as they are. */
    async spelled(userId: string, given: readonly string[]): Promise<string[]> {
      if (given.length === 0) return [];
      const known = spellings(await repository.list(userId));
      return given.map((keyword) => known.get(keyOf(keyword)) ?? keyword);
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
