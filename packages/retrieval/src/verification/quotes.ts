import type { Span } from '../analysis/sentences.ts';
import {
  type Claim,
  type Evidence,
  holdsAnchor,
  holdsWord,
  QUOTE_LIMIT,
  type Source,
} from './claim-support.ts';

/** The one to three sentences of a source that hold most of the claim; null when none holds any. */
export function bestQuote(claim: Claim, source: Source, question: Evidence): Span | null {
  let best: { span: Span; score: number } | null = null;
  const { sentences } = source;
  for (const [first, opening] of sentences.entries()) {
    const evidences: Evidence[] = [];
    for (const last of sentences.slice(first, first + 3)) {
      if (last.place !== opening.place || last.end - opening.start > QUOTE_LIMIT) break;
      evidences.push(last.evidence);
      const held = weightHeld(claim, evidences, question);
      const more = last.sentence - opening.sentence;
      const score = held - 0.6 * more - (last.end - opening.start) / 1000;
      if (held > 0 && (best === null || score > best.score)) {
        best = { span: { start: opening.start, end: last.end }, score };
      }
    }
  }
  return best?.span ?? null;
}

/** Numbers and names weigh most; words that the question already held weigh least. */
function weightHeld(claim: Claim, evidences: readonly Evidence[], question: Evidence): number {
  const anchors = claim.anchors.filter((a) => evidences.some((e) => holdsAnchor(e, a))).length;
  const words = claim.content.filter((word) => evidences.some((e) => holdsWord(e, word)));
  return words.reduce((sum, word) => sum + (holdsWord(question, word) ? 0.6 : 1), 2 * anchors);
}

/** Where the words stand in the source letter for letter, white space aside; null when nowhere. */
export function verbatim(words: string, source: Source): Span | null {
  // White space may be longer in the source, but never shorter.
  if (words.trim().replace(/\s+/gu, ' ').length > QUOTE_LIMIT) return null;
  const escaped = words
    .trim()
    .split(/\s+/u)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const match = new RegExp(escaped.join(String.raw`\s+`), 'u').exec(source.stated);
  if (match === null || match[0].length > QUOTE_LIMIT) return null;
  return { start: match.index, end: match.index + match[0].length };
}
