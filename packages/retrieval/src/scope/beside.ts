import { splitSentences } from '../analysis/sentences.ts';
import type { Span } from '../analysis/sentences.ts';
import { wordsOf } from '../analysis/words.ts';
import { alternatives, wholeWords } from '../languages/index.ts';

const ASKS = /[?？؟]["'”’»)\]]*$/u;
/** What stands for a thing that another sentence names. */
const REFERS = new RegExp(
  wholeWords(`(?:${alternatives(({ references }) => references?.pronouns)})`),
  'iu',
);
/** A question of fewer words may need what stands beside it. */
const LEAST_WORDS = 7;

/**
 * The sentences that only stand beside a question, such as 'The insurer is asking.': others, where
 * one that asks can be understood without them.
 */
export function besideQuestion(text: string): Span[] {
  const spans = splitSentences(text);
  const asks = ({ start, end }: Span): boolean => ASKS.test(text.slice(start, end));
  const alone = spans.some((span) => {
    const said = text.slice(span.start, span.end);
    return asks(span) && !REFERS.test(said) && wordsOf(said).words.length >= LEAST_WORDS;
  });
  return alone ? spans.filter((span) => !asks(span)) : [];
}
