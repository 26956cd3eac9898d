import type { Keyword } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import type { Database, Executor } from '../../platform/database/database.ts';
import * as errors from './keywords.errors.ts';
import { createKeywordsRepository } from './keywords.repository.ts';
import type { KeywordRow } from './keywords.tables.ts';

/** What everybody starts with; these are never archived. */
const DEFAULT_KEYWORDS = ['Personal', 'Work', 'Finance', 'Health', 'Travel', 'Education'];

/** Keywords that an account may have, archived ones included. */
const MOST_KEYWORDS = 2000;

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
     * @throws HttpError 409 when the user has it already, active or archived, or has MOST_KEYWORDS.
     */
    async add(userId: string, given: string): Promise<Keyword> {
      // Letters with accents are kept in one form, however they were typed.
      const keyword = given.normalize('NFC');
      return database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        const rows = await repository.list(userId, tx);
        const twin = rows.find((row) => keyOf(row.keyword) === keyOf(keyword));
        if (twin) {
          throw twin.isActive
            ? errors.keywordExists(twin.keyword)
            : errors.keywordArchived(twin.keyword);
        }
        if (rows.length >= MOST_KEYWORDS) throw errors.tooManyKeywords(MOST_KEYWORDS);
        const [stored] = await repository.insert(tx, [newRow(userId, keyword)]);
        if (!stored) throw errors.keywordExists(keyword);
        return present(stored);
      });
    },

    /**
     * The keywords as the person's list spells them; those that are not in it are added to it.
     * Given twice, or in another case, a keyword comes once, as it was given first.
     * @throws HttpError 409 when the user would have more than MOST_KEYWORDS.
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
        if (known.size + missing.length > MOST_KEYWORDS) {
          throw errors.tooManyKeywords(MOST_KEYWORDS);
        }
        const rows = missing.map(([, keyword]) => newRow(userId, keyword));
        await repository.insert(tx, rows);
      }
      return [...wanted].map(([key, keyword]) => known.get(key) ?? keyword);
    },

    /** What the user reads about keywords that the account has no room for. */
    refusal: errors.tooManyKeywords(MOST_KEYWORDS).message,

    /** Adds the keywords that the user does not have yet, up to MOST_KEYWORDS, as they were elsewhere. */
    takeIn: (
      userId: string,
      given: readonly Pick<KeywordRow, 'keyword' | 'isActive' | 'createdAt'>[],
    ): Promise<{ added: number; present: number; refused: number }> =>
      database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        const known = spellings(await repository.list(userId, tx));
        const missing = new Map<string, KeywordRow>();
        let refused = 0;
        for (const { keyword, ...rest } of given) {
          const key = keyOf(keyword);
          if (known.has(key) || missing.has(key)) continue;
          if (known.size + missing.size >= MOST_KEYWORDS) {
            refused += 1;
            continue;
          }
          missing.set(key, { ...newRow(userId, keyword.normalize('NFC')), ...rest });
        }
        if (missing.size > 0) await repository.insert(tx, [...missing.values()]);
        const present = given.length - missing.size - refused;
        return { added: missing.size, present, refused };
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
