import type { RecordQuery } from '@engram/retrieval';
import type { Place } from './document-parts.ts';

/** Longest name or search in a step, in UTF-16 units. */
const LONGEST = 80;

const short = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).trimEnd().toWellFormed()}…`;
};

/** The progress of an answer for the user: sentences without a full stop. */
export const steps = {
  /** @param kinds of the files, null where one is not known */
  reading(kinds: readonly (string | null)[]): string {
    const [kind] = kinds;
    const alike = kind !== null && kind !== undefined && kinds.every((other) => other === kind);
    const name = alike ? kind : 'file';
    if (kinds.length === 1) return `Looking in 1 ${name}…`;
    const plural = alike && /(?:s|minutes)$/u.test(name) ? name : `${name}s`;
    return `Looking in ${kinds.length} ${plural}…`;
  },

  awaiting: (names: readonly string[]): string =>
    names.length === 1 ? `Reading ${short(names[0] ?? '')}…` : `Reading ${names.length} files…`,

  searching: (query: string): string => `Searching for “${short(query)}”…`,

  opening(fileName: string, { page, section }: Place): string {
    const place = page === undefined ? section : `page ${page}`;
    return `Reading ${short(fileName)}${place === undefined ? '' : `, ${short(place)}`}…`;
  },

  asking({ operation, column, table }: RecordQuery): string {
    const what = short(column ?? table ?? 'rows');
    const verbs = {
      list: 'Listing',
      count: 'Counting',
      sum: 'Adding up',
      average: 'Averaging',
      largest: 'Comparing',
      smallest: 'Comparing',
    };
    return `${verbs[operation]} ${what}…`;
  },

  listing: (): string => 'Looking through your files…',
} as const;
