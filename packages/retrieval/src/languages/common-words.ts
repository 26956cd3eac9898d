import lists from 'stopwords-iso/stopwords-iso.json' with { type: 'json' };
import { memoize } from '../memoize.ts';

const LISTS: Readonly<Record<string, readonly string[] | undefined>> = lists;

/** Words too common to name anything, more than stop words. Empty for an unknown language. */
export const commonWords = memoize(
  (language: string): ReadonlySet<string> => new Set(LISTS[language]),
);
