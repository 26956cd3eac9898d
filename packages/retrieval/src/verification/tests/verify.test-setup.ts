import type { Evidence } from '../evidence.ts';

/** A passage as it is given to a model. */
export function passage(text: string, more: Partial<Evidence> = {}): Evidence {
  return {
    artifactId: 'a',
    fileName: 'notes.txt',
    ordinal: 0,
    start: 0,
    end: text.length,
    text,
    location: { page: 1 },
    places: [],
    headings: [],
    score: 1,
    ...more,
  };
}
