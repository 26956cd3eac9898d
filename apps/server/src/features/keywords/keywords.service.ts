import { randomUUID } from 'node:crypto';
import {
  addKeyword,
  addKeywordByBody,
  type Keyword,
  listKeywords,
  setKeywordActive,
  setKeywordActiveByPost,
} from '@engram/contract';
import { and, asc, desc, eq } from 'drizzle-orm';
import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Core } from '../../composition/core.ts';
import { holdName, instant } from '../../platform/database/sql.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';

const keywords = pgTable('keywords', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  keyword: text().notNull(),
  isActive: boolean('is_active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

type KeywordRow = typeof keywords.$inferSelect;

/** The keywords of a new account. They are never archived. */
const DEFAULT_KEYWORDS = ['Personal', 'Work', 'Finance', 'Health', 'Travel', 'Education'];

/** Keywords that an account may have, archived ones included. */
const MAX_KEYWORDS = 2000;

/**
 * Keywords are compared without case and in one Unicode form. Not in SQL, because there lower()
 * depends on the locale of the database.
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

const keywordExists = ({ keyword, isActive }: Pick<KeywordRow, 'keyword' | 'isActive'>) =>
  isActive
    ? new HttpError(409, 'keyword_exists', `You already have the keyword '${keyword}'.`)
    : new HttpError(
        409,
        'keyword_archived',
        `You already have the keyword '${keyword}' among your archived keywords.`,
      );

const tooManyKeywords = (): HttpError =>
  new HttpError(
    409,
    'too_many_keywords',
    `You have ${MAX_KEYWORDS.toLocaleString('en-US')} keywords, archived ones included, the most that an account may have. Please use one of them.`,
  );

const keywordNotFound = (): HttpError =>
  new HttpError(404, 'keyword_not_found', 'There is no such keyword.');

export function createKeywordsService({
  storage: { database, artifactsRepository },
  now,
}: Pick<Core, 'storage' | 'now'>) {
  const { db } = database;

  const newRow = (userId: string, keyword: string): KeywordRow => ({
    id: randomUUID(),
    userId,
    keyword,
    isActive: true,
    isDefault: false,
    createdAt: now(),
  });

  const listRows = (userId: string, executor: Executor = db): Promise<KeywordRow[]> =>
    executor
      .select()
      .from(keywords)
      .where(eq(keywords.userId, userId))
      .orderBy(desc(keywords.isDefault), asc(keywords.createdAt), asc(keywords.id));

  const lockRows = async (tx: Executor, userId: string): Promise<KeywordRow[]> => {
    await holdName(tx, `keywords:${userId}`);
    return listRows(userId, tx);
  };

  const insert = async (tx: Executor, rows: KeywordRow[]): Promise<KeywordRow[]> =>
    rows.length === 0 ? [] : tx.insert(keywords).values(rows).onConflictDoNothing().returning();

  const spellings = (rows: readonly KeywordRow[]): Map<string, string> =>
    new Map(rows.map(({ keyword }) => [keyOf(keyword), keyword]));

  return {
    async list(userId: string, withFiles = false): Promise<Keyword[]> {
      const files = withFiles ? await artifactsRepository.countByKeyword(userId) : null;
      const rows = await listRows(userId);
      return rows.map((row) => present(row, files && (files.get(row.keyword) ?? 0)));
    },

    /** @throws HttpError 409 for a keyword that the user already has, or for too many. */
    add: (userId: string, given: string): Promise<Keyword> =>
      database.transaction(async (tx) => {
        const row = newRow(userId, given.normalize('NFC'));
        const rows = await lockRows(tx, userId);
        const same = rows.find(({ keyword }) => keyOf(keyword) === keyOf(row.keyword));
        if (same) throw keywordExists(same);
        if (rows.length >= MAX_KEYWORDS) throw tooManyKeywords();
        if ((await insert(tx, [row])).length === 0) throw keywordExists(row);
        return present(row);
      }),

    /**
     * The spelling of each given keyword in the user's list. Missing ones are added to the list as they
     * were given first.
     * @throws HttpError 409 for too many.
     */
    async ensure(
      tx: Executor,
      userId: string,
      given: readonly string[],
    ): Promise<Map<string, string>> {
      if (given.length === 0) return new Map();
      const known = spellings(await lockRows(tx, userId));
      const missing: KeywordRow[] = [];
      for (const keyword of given) {
        if (known.has(keyOf(keyword))) continue;
        const row = newRow(userId, keyword.normalize('NFC'));
        missing.push(row);
        known.set(keyOf(keyword), row.keyword);
      }
      if (missing.length > 0 && known.size > MAX_KEYWORDS) throw tooManyKeywords();
      await insert(tx, missing);
      return new Map(given.map((keyword) => [keyword, known.get(keyOf(keyword)) ?? keyword]));
    },

    refusal: tooManyKeywords().message,

    /** Imports keywords that the user does not have, up to the limit. */
    takeIn: (
      userId: string,
      given: readonly Pick<KeywordRow, 'keyword' | 'isActive' | 'createdAt'>[],
    ): Promise<{ added: number; present: number; refused: number }> =>
      database.transaction(async (tx) => {
        const known = spellings(await lockRows(tx, userId));
        const missing = new Map<string, KeywordRow>();
        let refused = 0;
        for (const { keyword, ...rest } of given) {
          const key = keyOf(keyword);
          if (known.has(key) || missing.has(key)) continue;
          if (known.size + missing.size >= MAX_KEYWORDS) {
            refused += 1;
            continue;
          }
          missing.set(key, { ...newRow(userId, keyword.normalize('NFC')), ...rest });
        }
        await insert(tx, [...missing.values()]);
        return { added: missing.size, present: given.length - missing.size - refused, refused };
      }),

    /** The keywords as the user's list spells them. Unknown ones stay as they are. */
    async spelled(userId: string, given: readonly string[]): Promise<string[]> {
      if (given.length === 0) return [];
      const known = spellings(await listRows(userId));
      return given.map((keyword) => known.get(keyOf(keyword)) ?? keyword);
    },

    /** @throws HttpError 404 if the user has no such keyword, 409 for a default one */
    async setActive(userId: string, id: string, isActive: boolean): Promise<Keyword> {
      const owned = and(eq(keywords.id, id), eq(keywords.userId, userId));
      const [current] = await db.select().from(keywords).where(owned);
      if (!current) throw keywordNotFound();
      if (current.isDefault && !isActive) {
        throw new HttpError(409, 'default_keyword', 'Default keywords cannot be archived.');
      }
      const [row] = await db.update(keywords).set({ isActive }).where(owned).returning();
      if (!row) throw keywordNotFound();
      return present(row);
    },

    async addDefaults(tx: Executor, userId: string): Promise<void> {
      const at = now().getTime();
      const rows = DEFAULT_KEYWORDS.map((keyword, index) => ({
        ...newRow(userId, keyword),
        isDefault: true,
        // A millisecond apart keeps them in order.
        createdAt: new Date(at + index),
      }));
      await insert(tx, rows);
    },
  };
}

export type KeywordsService = ReturnType<typeof createKeywordsService>;

export function mountKeywordsRoutes(mount: Mount, service: KeywordsService): void {
  mount(listKeywords, async ({ caller, query }) => ({
    data: await service.list(caller.userId, query.files),
  }));

  mount(addKeywordByBody, async ({ caller, body }) => ({
    data: await service.add(caller.userId, body.keyword),
  }));

  mount(addKeyword, async ({ caller, params }) => ({
    data: await service.add(caller.userId, params.keyword),
  }));

  for (const route of [setKeywordActive, setKeywordActiveByPost]) {
    mount(route, async ({ caller, params }) => ({
      data: await service.setActive(caller.userId, params.id, params.isActive),
    }));
  }
}
