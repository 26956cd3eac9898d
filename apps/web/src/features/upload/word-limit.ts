import { countWords } from '@engram/contract/browser';

const firstWords = (text: string, count: number): string => {
  let end = 0;
  let left = count;
  for (const match of text.matchAll(/\S+/gu)) {
    if (left-- <= 0) break;
    end = match.index + match[0].length;
  }
  return text.slice(0, end);
};

const sharedPrefix = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
};

/**
 * The text after an edit, kept to the limit: what was written before stays, and of what was typed
 * or pasted only as many words are taken as there is room for.
 */
export function limitWords(before: string, after: string, limit: number): string {
  if (countWords(after) <= limit) return after;
  const start = sharedPrefix(before, after);
  const restBefore = before.slice(start);
  const restAfter = after.slice(start);
  const shared = sharedPrefix(
    [...restBefore].toReversed().join(''),
    [...restAfter].toReversed().join(''),
  );
  const head = after.slice(0, start);
  const inserted = restAfter.slice(0, restAfter.length - shared);
  const tail = restAfter.slice(restAfter.length - shared);
  const room = Math.max(0, limit - countWords(head + tail) + 2);
  for (let words = room; words > 0; words--) {
    const taken = firstWords(inserted, words);
    // What is left out must not let the last word taken grow together with the next one.
    const gap = taken.length < inserted.length && /^\S/u.test(tail) ? ' ' : '';
    const fitting = head + taken + gap + tail;
    if (countWords(fitting) <= limit) return fitting;
  }
  return countWords(before) <= limit ? before : firstWords(after, limit);
}
