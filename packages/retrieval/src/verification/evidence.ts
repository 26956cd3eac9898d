import type { Citation, Passage } from '../types.ts';

export type Citable = Omit<Citation, 'n'>;

export interface Evidence extends Passage {
  /** The date of its document as YYYY-MM-DD, if known. */
  date?: string | null;
  kind?: string | null;
  /** The rows that a figure was computed from. They are cited, because no file contains its `text`. */
  figure?: readonly Citable[];
}

export const UNVERIFIED = '[unverified]';

const MARKED = /(?<!\\)\[unverified\]/gu;

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
