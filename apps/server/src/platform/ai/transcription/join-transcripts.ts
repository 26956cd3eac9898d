import type { TranscriptPart } from '@engram/extraction';

const MAX_WORDS = 20;

const plain = (word: string): string =>
  word.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, '');

/**
 * Joins the transcripts of a recording's pieces. Where two pieces overlap, each part is taken from the
 * piece in whose half of the overlap its middle lies, and repeated words are removed. Times rise.
 */
export function joinTranscripts(pieces: readonly (readonly TranscriptPart[])[]): TranscriptPart[] {
  const joined: TranscriptPart[] = [];
  let reached = 0;
  for (const piece of pieces) {
    const parts = [...piece].sort((a, b) => a.startMs - b.startMs);
    const rest = withoutOverlap(joined, parts);
    for (const { startMs, endMs, text } of rest) {
      const from = Math.max(reached, startMs);
      joined.push({ startMs: from, endMs: Math.max(from, endMs), text });
      reached = from;
    }
  }
  return joined;
}

function withoutOverlap(joined: TranscriptPart[], next: TranscriptPart[]): TranscriptPart[] {
  const last = joined.at(-1);
  const first = next[0];
  if (last === undefined || first === undefined || first.startMs >= last.endMs) return next;
  const middle = (part: TranscriptPart): number => (part.startMs + part.endMs) / 2;
  const cut = (first.startMs + last.endMs) / 2;
  while (joined.length > 0) {
    const end = joined.at(-1);
    if (end === undefined || end.startMs < first.startMs || middle(end) < cut) break;
    joined.pop();
  }
  const rest = next.filter((part) => part.endMs > last.endMs || middle(part) >= cut);
  const before = joined.at(-1);
  const [head, ...others] = rest;
  if (before === undefined || head === undefined || head.startMs >= before.endMs) return rest;
  const text = withoutRepeatedWords(before.text, head.text);
  return text === '' ? others : [{ ...head, text }, ...others];
}

/** The second text without the words at its beginning with which the first ends. */
function withoutRepeatedWords(first: string, second: string): string {
  const ending = first.trim().split(/\s+/u).map(plain).slice(-MAX_WORDS);
  const words = second.trim().split(/\s+/u);
  const beginning = words.map(plain);
  for (let count = Math.min(ending.length, words.length); count > 0; count -= 1) {
    const same = ending.slice(-count).every((word, index) => word === beginning[index]);
    if (same) return words.slice(count).join(' ');
  }
  return second.trim();
}
