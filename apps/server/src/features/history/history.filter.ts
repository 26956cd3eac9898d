import { and, eq, gte, ilike, or } from 'drizzle-orm';
import { containing } from '../../platform/database/containing.ts';
import { history } from './history.tables.ts';

export interface HistoryFilter {
  userId: string;
  /** Words that must all be in the question or the answer. */
  q?: string | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  since?: Date | undefined;
}

/** Further words of a search are ignored. */
const MAX_WORDS = 10;

/** The words of a search. */
export const wordsOf = (q: string | undefined): string[] =>
  (q ?? '').split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);

const contains = (word: string) => {
  const pattern = containing(word);
  return or(ilike(history.question, pattern), ilike(history.answer, pattern));
};

export const matching = ({ userId, q, archived, saved, since }: HistoryFilter) =>
  and(
    eq(history.userId, userId),
    ...wordsOf(q).map(contains),
    archived === undefined ? undefined : eq(history.archived, archived),
    saved === undefined ? undefined : eq(history.bookmarked, saved),
    since ? gte(history.createdAt, since) : undefined,
  );
