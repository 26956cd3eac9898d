import { plainText } from './markdown-text.ts';

/** Characters before and after a word that was found. */
const BEFORE = 60;
const AFTER = 100;

/** The stretch of an answer around the first word that was searched for; null where it has none. */
export function stretchAround(answer: string, words: readonly string[]): string | null {
  const text = plainText(answer);
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  if (places.length === 0) return null;
  const at = Math.min(...places);
  const from = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1;
  const start = from > at ? at : from;
  const end = at + AFTER >= text.length ? text.length : text.lastIndexOf(' ', at + AFTER);
  const stop = end <= at ? at + AFTER : end;
  return `${start > 0 ? '…' : ''}${text.slice(start, stop)}${stop < text.length ? '…' : ''}`;
}
