import type { TranscriptPart } from '@engram/extraction';

/** Most words by which two pieces are compared where they overlap. */
const MOST_WORDS = 20;

const plain = (word: string): string =>
  word.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, '');

/**
 * Puts the transcripts of a recording's pieces together. Where two pieces overlap, each part is kept
 * from the piece in whose half of the overlap its middle lies, and words that both end and begin with
 * are said once. Times rise.
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

/** Takes what the next piece heard again from the end of `joined`, and from the next piece. */
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
  const kept = next.filter((part) => part.endMs > last.endMs || middle(part) >= cut);
  const before = joined.at(-1);
  const [head, ...rest] = kept;
  if (before === undefined || head === undefined || head.startMs >= before.endMs) return kept;
  const text = withoutRepeatedWords(before.text, head.text);
  return text === '' ? rest : [{ ...head, text }, ...rest];
}

/** The second text without the words at its begin that the first ends with. */
function withoutRepeatedWords(first: string, second: string): string {
  const ending = first.trim().split(/\s+/u).map(plain).slice(-MOST_WORDS);
  const words = second.trim().split(/\s+/u);
  const beginning = words.map(plain);
  for (let count = Math.min(ending.length, words.length); count > 0; count -= 1) {
    const same = ending.slice(-count).every((word, index) => word === beginning[index]);
    if (same) return words.slice(count).join(' ');
  }
  return second.trim();
}
