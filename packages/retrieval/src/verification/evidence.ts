import type { Citation, Computed, Passage } from '../types.ts';

/** A stretch of a file that may be cited. */
export type Citable = Omit<Citation, 'n'>;

/** What a model was shown under a number: a stretch of a file, or a figure that was computed. */
export interface Evidence extends Passage {
  /** The day that its document is of, as YYYY-MM-DD, where it says so. */
  date?: string | null;
  /** What its document is, such as 'invoice', where that is known. */
  kind?: string | null;
  /**
   * A figure computed over rows; `text` is how the model was told of it, which stands in no file: what
   * rests on it cites the rows.
   */
  figure?: { computed: Computed; rows: readonly Citable[] };
}

/** Stands behind each sentence of an answer that could not be verified. */
export const UNVERIFIED = '[unverified]';

const MARKED = /(?<!\\)\[unverified\]/gu;

/** The sentences of an answer's Markdown that are marked as unverified, as they stand in it. */
export function unverifiedIn(markdown: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { index } of markdown.matchAll(MARKED)) {
    const before = markdown.slice(from, index);
    const marks = [...before.matchAll(/\[\d+\](?=\s|$)|\n+(?:(?:[-*]|\d+\.)\s+)?/gu)];
    const last = marks.at(-1);
    const begin = last === undefined ? 0 : last.index + last[0].length;
    sentences.push(before.slice(begin).trim());
    from = index + UNVERIFIED.length;
  }
  return sentences.filter(Boolean);
}
