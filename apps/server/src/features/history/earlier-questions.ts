import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { history } from './history.tables.ts';

/** Older entries are ignored. */
const MAX_ENTRIES = 500;

/** Position at which a question counts half as much as the newest. */
const HALF_LIFE = 20;

const keyOf = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/**
 * Ranks distinct questions by how recently and how often they were asked, without those that had no
 * answer the last time.
 * @param asked newest first
 */
export function rankQuestions(asked: readonly { question: string; grounded: boolean }[]): string[] {
  const ranked = new Map<string, { question: string; grounded: boolean; worth: number }>();
  for (const [at, entry] of asked.entries()) {
    const key = keyOf(entry.question);
    const known = ranked.get(key) ?? { ...entry, worth: 0 };
    ranked.set(key, { ...known, worth: known.worth + 1 / (1 + at / HALF_LIFE) });
  }
  return [...ranked.values()]
    .filter(({ grounded }) => grounded)
    .sort((a, b) => b.worth - a.worth)
    .map(({ question }) => question);
}

/** A user's earlier questions that the files answer, without archived ones. */
export function createEarlierQuestions({ db }: Pick<Database, 'db'>) {
  return async (userId: string): Promise<string[]> => {
    const rows = await db
      .select({ question: history.question, grounded: history.grounded })
      .from(history)
      .where(and(eq(history.userId, userId), eq(history.archived, false)))
      .orderBy(desc(history.createdAt), desc(history.id))
      .limit(MAX_ENTRIES);
    return rankQuestions(rows);
  };
}
