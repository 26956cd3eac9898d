import { randomUUID } from 'node:crypto';
import type { IndexRow } from '../search-index.ts';

/** A row of a new artifact whose text is its terms. */
export function chunk(terms: string): IndexRow {
  return {
    artifactId: randomUUID(),
    ordinal: 0,
    start: 0,
    end: terms.length,
    text: terms,
    terms,
    location: { page: 1 },
    places: [],
    headings: [],
  };
}
