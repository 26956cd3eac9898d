import { and, eq, gte, ilike, or } from 'drizzle-orm';
import { containing } from '../../platform/database/containing.ts';
import { history } from './history.tables.ts';

/** Which entries of the history are meant. */
export interface HistoryFilter {
  userId: string;
  /** Words that all stand in the question or its answer. */
  q?: string | undefined;
  archived?: boolean | undefined;
  saved?: boolean | undefined;
  since?: Date | undefined;
}

/** Words of a search that count. */
const MOST_WORDS = 10;

/** The words that are searched for, as they were put. */
export const wordsOf = (q: string | undefined): string[] =>
  (q ?? '').split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);

const says = (word: string) => {
  const pattern = containing(word);
  return or(ilike(history.question, pattern), ilike(history.answer, pattern));
};

/** The condition of a filter. */
export const matching = ({ userId, q, archived, saved, since }: HistoryFilter) =>
  and(
    eq(history.userId, userId),
    ...wordsOf(q).map(says),
    archived === undefined ? undefined : eq(history.archived, archived),
    saved === undefined ? undefined : eq(history.bookmarked, saved),
    since ? gte(history.createdAt, since) : undefined,
  );
