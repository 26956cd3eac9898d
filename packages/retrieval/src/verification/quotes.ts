import type { Span } from '../text/sentences.ts';
import type { Claim } from './claim.ts';
import { QUOTE_LIMIT, type Source } from './source.ts';
import { holdsWord, type Statement } from './statement.ts';

const MAX_SENTENCES = 3;
const COST = { sentence: 0.6, character: 0.001 } as const;
const ANCHOR_WEIGHT = 2;

/** The one to three sentences with most of the claim, or null. */
export function bestQuote(claim: Claim, { spans, sentences }: Source): Span | null {
  let best: (Span & { score: number }) | null = null;
  for (const [at, opening] of spans.entries()) {
    for (const [more, last] of spans.slice(at, at + MAX_SENTENCES).entries()) {
      const length = last.end - opening.start;
      if (last.place !== opening.place || length > QUOTE_LIMIT) break;
      const held = weightHeld(claim, sentences.slice(at, at + more + 1));
      const score = held - COST.sentence * more - COST.character * length;
      if (held > 0 && score > (best?.score ?? -Infinity))
        best = { start: opening.start, end: last.end, score };
    }
  }
  return best && { start: best.start, end: best.end };
}

function weightHeld({ words, anchors }: Claim, quoted: readonly Statement[]): number {
  const held = anchors.filter(({ isIn }) => quoted.some(isIn));
  const said = words.filter((word) => quoted.some((each) => holdsWord(each, word)));
  return ANCHOR_WEIGHT * held.length + said.length;
}

/** Where the source contains the words exactly, except for white space, or null. */
export function verbatim(words: string, { stated }: Pick<Source, 'stated'>): Span | null {
  const parts = words.trim().split(/\s+/u);
  if (parts.join(' ').length > QUOTE_LIMIT) return null;
  const source = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const match = new RegExp(source.join(String.raw`\s+`), 'u').exec(stated);
  if (match === null || match[0].length > QUOTE_LIMIT) return null;
  return { start: match.index, end: match.index + match[0].length };
}
