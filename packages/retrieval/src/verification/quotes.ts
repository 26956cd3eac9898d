import type { Span } from '../text/sentences.ts';
import { type Claim, holdsAnchor } from './claim.ts';
import { QUOTE_LIMIT, type Source } from './source.ts';
import { holdsWord, type Statement } from './statement.ts';

/** Sentences of one quote. */
const MAX_SENTENCES = 3;
/** What each further sentence and each character of a quote take off its score. */
const COST = { sentence: 0.6, character: 0.001 } as const;
/** What numbers and names, and words that the question already held, count for. */
const WEIGHT = { anchor: 2, asked: 0.6, word: 1 } as const;

/** The one to three sentences of a source that hold most of the claim; null when none holds any. */
export function bestQuote(claim: Claim, source: Source, question: Statement): Span | null {
  const { spans, sentences } = source;
  const quotes = spans.flatMap((opening, at) =>
    spans.slice(at, at + MAX_SENTENCES).flatMap((last, more) => {
      const length = last.end - opening.start;
      if (last.place !== opening.place || length > QUOTE_LIMIT) return [];
      const held = weightHeld(claim, sentences.slice(at, at + more + 1), question);
      const further = last.sentence - opening.sentence;
      const score = held - COST.sentence * further - COST.character * length;
      return held > 0 ? [{ start: opening.start, end: last.end, score }] : [];
    }),
  );
  const [first] = quotes;
  if (first === undefined) return null;
  const { start, end } = quotes.reduce((best, each) => (each.score > best.score ? each : best));
  return { start, end };
}

function weightHeld(claim: Claim, quoted: readonly Statement[], question: Statement): number {
  const anchors = claim.anchors.filter((anchor) =>
    quoted.some((each) => holdsAnchor(each, anchor)),
  );
  return claim.words
    .filter((word) => quoted.some((each) => holdsWord(each, word)))
    .reduce(
      (sum, word) => sum + (holdsWord(question, word) ? WEIGHT.asked : WEIGHT.word),
      WEIGHT.anchor * anchors.length,
    );
}

/** Where the words stand in the source letter for letter, white space aside; null when nowhere. */
export function verbatim(words: string, { stated }: Pick<Source, 'stated'>): Span | null {
  const parts = words.trim().split(/\s+/u);
  // White space may be longer in the source, but never shorter.
  if (parts.join(' ').length > QUOTE_LIMIT) return null;
  const source = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const match = new RegExp(source.join(String.raw`\s+`), 'u').exec(stated);
  if (match === null || match[0].length > QUOTE_LIMIT) return null;
  return { start: match.index, end: match.index + match[0].length };
}
