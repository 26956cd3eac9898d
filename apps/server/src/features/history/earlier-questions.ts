import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { history } from './history.tables.ts';

/** Entries of the history that are looked at. */
const MOST_ENTRIES = 500;

/** Places in the history after which a question counts half as much as the newest. */
const HALF_AFTER = 20;

const keyOf = (question: string): string =>
  question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/**
 * Each question once, as it was asked last: those asked lately and often first.
 *
 * @param asked newest first
 */
export function rankQuestions(asked: readonly string[]): string[] {
  const ranked = new Map<string, { question: string; worth: number }>();
  for (const [at, question] of asked.entries()) {
    const key = keyOf(question);
    const known = ranked.get(key) ?? { question, worth: 0 };
    ranked.set(key, { ...known, worth: known.worth + 1 / (1 + at / HALF_AFTER) });
  }
  return [...ranked.values()].sort((a, b) => b.worth - a.worth).map(({ question }) => question);
}

/** A person's own earlier questions, without those that were archived. */
export function createEarlierQuestions({ db }: Pick<Database, 'db'>) {
  return async (userId: string): Promise<string[]> => {
    const rows = await db
      .select({ question: history.question })
      .from(history)
      .where(and(eq(history.userId, userId), eq(history.archived, false)))
      .orderBy(desc(history.createdAt), desc(history.id))
      .limit(MOST_ENTRIES);
    return rankQuestions(rows.map(({ question }) => question));
  };
}
