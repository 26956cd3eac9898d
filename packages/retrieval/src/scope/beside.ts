import { likelyLanguages, stopWords } from '../analysis/languages.ts';
import { splitSentences } from '../analysis/sentences.ts';
import type { Span } from '../analysis/sentences.ts';
import { wordsOf } from '../analysis/words.ts';
import { allWords, alternatives, wholeWords } from '../languages/index.ts';

const ASKS = /[?？؟]["'”’»)\]]*$/u;
const LIGHT_WORDS = allWords(({ question }) => question?.light);
/** What stands for a thing that another sentence names. */
const REFERS = new RegExp(
  wholeWords(`(?:${alternatives(({ references }) => references?.pronouns)})`),
  'iu',
);

/** Words that a sentence must have of its own to be understood without the others. */
const LEAST_WORDS = 2;

/** Whether a sentence says by itself what it asks for. */
function standsAlone(sentence: string): boolean {
  const common = stopWords(likelyLanguages(sentence)[0] ?? 'en');
  const own = wordsOf(sentence).words.filter(
    ({ lower }) => lower.length > 2 && !common.has(lower) && !LIGHT_WORDS.has(lower),
  );
  return own.length >= LEAST_WORDS && !REFERS.test(sentence);
}

/**
 * The sentences that only stand beside a question, such as 'The insurer is asking.': others, where
 * one that asks can be understood without them.
 */
export function besideQuestion(text: string): Span[] {
  const sentences = splitSentences(text);
  if (sentences.length < 2) return [];
  const asking = sentences.filter(({ start, end }) => ASKS.test(text.slice(start, end)));
  const alone = asking.some(({ start, end }) => standsAlone(text.slice(start, end)));
  return alone ? sentences.filter((sentence) => !asking.includes(sentence)) : [];
}
