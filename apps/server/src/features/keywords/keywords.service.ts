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
import { lockName, instant } from '../../platform/database/sql.ts';
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

/** Per account, including archived ones. */
const MAX_KEYWORDS = 2000;

/** For comparisons without case. Not in SQL, where lower() depends on the locale of the database. */
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
    : new HttpError(409, 'keyword_archived', `The keyword '${keyword}' is archived.`);

function tooManyKeywords(): HttpError {
  const limit = MAX_KEYWORDS.toLocaleString('en-US');
  const message = `You can have up to ${limit} keywords, including archived ones. Please use an existing one.`;
  return new HttpError(409, 'too_many_keywords', message);
}

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
    await lockName(tx, `keywords:${userId}`);
    return listRows(userId, tx);
  };

  const insert = async (tx: Executor, rows: KeywordRow[]): Promise<KeywordRow[]> =>
    rows.length === 0 ? [] : tx.insert(keywords).values(rows).onConflictDoNothing().returning();

  const spellings = (rows: readonly KeywordRow[]): Map<string, string> =>
    new Map(rows.map(({ keyword }) => [keyOf(keyword), keyword]));

  /** @throws HttpError 409 for an existing keyword, or too many */
  const add = (userId: string, word: string): Promise<Keyword> =>
    database.transaction(async (tx) => {
      const row = newRow(userId, word.normalize('NFC'));
      const rows = await lockRows(tx, userId);
      const same = rows.find(({ keyword }) => keyOf(keyword) === keyOf(row.keyword));
      if (same) throw keywordExists(same);
      if (rows.length >= MAX_KEYWORDS) throw tooManyKeywords();
      if ((await insert(tx, [row])).length === 0) throw keywordExists(row);
      return present(row);
    });
  return {
    routes(mount: Mount): void {
      mount(listKeywords, async ({ caller, query }) => {
        const files = query.files ? await artifactsRepository.countByKeyword(caller.userId) : null;
        const rows = await listRows(caller.userId);
        return { data: rows.map((row) => present(row, files && (files.get(row.keyword) ?? 0))) };
      });
      mount(addKeywordByBody, async ({ caller, body }) => ({
        data: await add(caller.userId, body.keyword),
      }));
      mount(addKeyword, async ({ caller, params }) => ({
        data: await add(caller.userId, params.keyword),
      }));
      for (const route of [setKeywordActive, setKeywordActiveByPost]) {
        mount(route, async ({ caller, params: { id, isActive } }) => {
          const isOwned = and(eq(keywords.id, id), eq(keywords.userId, caller.userId));
          const [current] = await db.select().from(keywords).where(isOwned);
          if (current?.isDefault && !isActive) {
            throw new HttpError(409, 'default_keyword', 'Default keywords cannot be archived.');
          }
          const [row] = await db.update(keywords).set({ isActive }).where(isOwned).returning();
          if (!row) {
            throw new HttpError(404, 'keyword_not_found', 'There is no such keyword.');
          }
          return { data: present(row) };
        });
      }
    },
    list: listRows,

    /**
     * The spelling of each word in the user's keywords, to which missing words are added.
     * @throws HttpError 409 for too many
     */
    async ensure(
      tx: Executor,
      userId: string,
      words: readonly string[],
    ): Promise<Map<string, string>> {
      if (words.length === 0) return new Map();
      const existing = spellings(await lockRows(tx, userId));
      const missing: KeywordRow[] = [];
      for (const word of words) {
        if (existing.has(keyOf(word))) continue;
        const row = newRow(userId, word.normalize('NFC'));
        missing.push(row);
        existing.set(keyOf(word), row.keyword);
      }
      if (missing.length > 0 && existing.size > MAX_KEYWORDS) throw tooManyKeywords();
      await insert(tx, missing);
      return new Map(words.map((word) => [word, existing.get(keyOf(word)) ?? word]));
    },

    refusal: tooManyKeywords().message,

    importAll: (
      userId: string,
      imported: readonly Pick<KeywordRow, 'keyword' | 'isActive' | 'createdAt'>[],
    ): Promise<{ added: number; present: number; refused: number }> =>
      database.transaction(async (tx) => {
        const existing = spellings(await lockRows(tx, userId));
        const missing = new Map<string, KeywordRow>();
        let refused = 0;
        for (const { keyword, ...row } of imported) {
          const key = keyOf(keyword);
          if (existing.has(key) || missing.has(key)) continue;
          if (existing.size + missing.size >= MAX_KEYWORDS) {
            refused += 1;
            continue;
          }
          missing.set(key, { ...newRow(userId, keyword.normalize('NFC')), ...row });
        }
        await insert(tx, [...missing.values()]);
        return { added: missing.size, present: imported.length - missing.size - refused, refused };
      }),

    /** Replaces words with the spelling of the user's keywords. Unknown words stay the same. */
    async withUserSpelling(userId: string, words: readonly string[]): Promise<string[]> {
      if (words.length === 0) return [];
      const existing = spellings(await listRows(userId));
      return words.map((word) => existing.get(keyOf(word)) ?? word);
    },

    async addDefaults(tx: Executor, userId: string): Promise<void> {
      const time = now().getTime();
      const rows = DEFAULT_KEYWORDS.map((keyword, index) => ({
        ...newRow(userId, keyword),
        isDefault: true,
        // A millisecond apart, so that they are listed in this order.
        createdAt: new Date(time + index),
      }));
      await insert(tx, rows);
    },
  };
}

export type KeywordsService = ReturnType<typeof createKeywordsService>;
