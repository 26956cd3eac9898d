import type { RecordQuery } from '@engram/retrieval';
import type { Place } from './document-parts.ts';

/** The longest name or query in a message, in UTF-16 units. */
const MAX_LENGTH = 80;

const shorten = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= MAX_LENGTH
    ? line
    : `${line.slice(0, MAX_LENGTH).trimEnd().toWellFormed()}…`;
};

/** Progress messages for the user. */
export const steps = {
  /** @param kinds of the files, null if unknown */
  reading(kinds: readonly (string | null)[]): string {
    const [kind] = kinds;
    const isSameKind =
      kind !== null && kind !== undefined && kinds.every((other) => other === kind);
    const name = isSameKind ? kind : 'file';
    if (kinds.length === 1) return `Looking in 1 ${name}…`;
    const plural = isSameKind && /(?:s|minutes)$/u.test(name) ? name : `${name}s`;
    return `Looking in ${kinds.length} ${plural}…`;
  },

  awaiting: (names: readonly string[]): string =>
    names.length === 1 ? `Reading ${shorten(names[0] ?? '')}…` : `Reading ${names.length} files…`,

  searching: (query: string): string => `Searching for “${shorten(query)}”…`,

  opening(fileName: string, { page, section }: Place): string {
    const place = page === undefined ? section : `page ${page}`;
    return `Reading ${shorten(fileName)}${place === undefined ? '' : `, ${shorten(place)}`}…`;
  },

  asking({ operation, column, table }: RecordQuery): string {
    const subject = shorten(column ?? table ?? 'rows');
    const verbs = {
      list: 'Listing',
      count: 'Counting',
      sum: 'Adding up',
      average: 'Averaging',
      largest: 'Comparing',
      smallest: 'Comparing',
    };
    return `${verbs[operation]} ${subject}…`;
  },

  listing: (): string => 'Looking through your files…',
} as const;
