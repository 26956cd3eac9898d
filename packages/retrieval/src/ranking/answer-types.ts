import { addWord, createHeadFilter, mayBe } from '../analysis/heads.ts';
import type { HeadFilter } from '../analysis/heads.ts';
import { calendarNames } from '../languages/calendar.ts';
import { allWords, LANGUAGES } from '../languages/index.ts';
import type { Matcher } from './matching.ts';
import type { PassageAnalysis, Sentence } from '../analysis/passage-analysis.ts';
import type { QuestionType } from '../question/question.ts';
import { HAS_CAPITAL, HAS_DIGIT, wordAt } from '../analysis/tokens.ts';
import type { Tokens } from '../analysis/tokens.ts';
import { CAPITAL, DIGIT } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

const NUMBER_WORDS = allWords(({ numbers, small }) => {
  const [zero, , ...more] = numbers?.replaceAll('/', ' ').split(/\s+/u) ?? [];
  return [zero, ...more, small?.amounts];
});
const DATED = LANGUAGES.filter(({ time }) => time !== undefined).map(({ code }) => code);
const { full: MONTHS, weekday: WEEKDAYS } = calendarNames(DATED);
const TIME_WORDS = new Set([
  ...allWords(({ small }) => small?.times),
  ...`${MONTHS}|${WEEKDAYS}`.split('|').filter((name) => /^\p{L}+$/u.test(name)),
]);
const PLACE_LEADS = allWords(({ small }) => small?.placeLeads);
const REASON_WORDS = allWords(({ small }) => small?.reasons);
const YEAR = /^(?:1\d{3}|20\d{2})(?:s|年)?$/u;
const DATE = /^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}:\d{2}|\d{1,2}(?:st|nd|rd|th)|\d{3,4}s)$/u;
const CJK_TIME = /[年月日時分秒世紀]/u;
const CJK_NUMBER = /[一二三四五六七八九十百千万億兆人個]/u;

/** What an answer of one kind looks like, word by word. */
interface TypeTest {
  /** The words that are worth looking up. */
  likely: HeadFilter;
  /** Whether a word that the question does not name could be the answer it asks for. */
  fits: (word: Word, before: Word | undefined, opens: boolean) => boolean;
}

function likely(words: Iterable<string>, bits: number): HeadFilter {
  const filter = createHeadFilter(bits);
  for (const word of words) addWord(filter, word);
  return filter;
}

const TESTS: Partial<Record<QuestionType, TypeTest>> = {
  person: {
    likely: likely([], HAS_CAPITAL),
    fits: (word, _before, opens) => (word.shape & CAPITAL) !== 0 && !opens,
  },
  place: {
    likely: likely([], HAS_CAPITAL),
    fits: (word, before, opens) =>
      (word.shape & CAPITAL) !== 0 &&
      !opens &&
      before !== undefined &&
      PLACE_LEADS.has(before.lower),
  },
  time: {
    likely: likely(TIME_WORDS, HAS_DIGIT),
    fits: ({ lower }) =>
      YEAR.test(lower) || DATE.test(lower) || TIME_WORDS.has(lower) || CJK_TIME.test(lower),
  },
  quantity: {
    likely: likely(NUMBER_WORDS, HAS_DIGIT),
    fits: ({ shape, lower }) =>
      (shape & DIGIT) !== 0 || NUMBER_WORDS.has(lower) || CJK_NUMBER.test(lower),
  },
  reason: { likely: likely(REASON_WORDS, 0), fits: ({ lower }) => REASON_WORDS.has(lower) },
};

/**
 * Whether a sentence holds something of the kind a question asks for, outside the words the question
 * itself brought. Null for kinds that no form of words gives away.
 */
export function hasAnswerOfType(
  type: QuestionType,
  { tokens }: PassageAnalysis,
  sentence: Pick<Sentence, 'firstWord' | 'endWord'>,
  matcher: Matcher,
): boolean | null {
  if (type === 'definition') return isDefinition(tokens, sentence, matcher) ? true : null;
  const test = TESTS[type];
  if (test === undefined) return null;
  for (let i = sentence.firstWord; i < sentence.endWord; i += 1) {
    if (!mayBe(test.likely, tokens.heads[i] ?? 0)) continue;
    const word = wordAt(tokens, i);
    const opens = i === sentence.firstWord;
    const before = opens ? undefined : wordAt(tokens, i - 1);
    if (test.fits(word, before, opens) && !isQuestionWord(matcher, word)) return true;
  }
  return false;
}

function isQuestionWord(matcher: Matcher, word: Word): boolean {
  const match = matcher.match(word);
  return match !== null && match.exact.length + match.lowered.length > 0;
}

const COPULAS = allWords(({ small }) => small?.copulas);

/** 'X is …': the sentence opens with what is asked for, and a copula follows. */
function isDefinition(
  tokens: Tokens,
  { firstWord, endWord }: Pick<Sentence, 'firstWord' | 'endWord'>,
  matcher: Matcher,
): boolean {
  const end = Math.min(endWord, firstWord + 8);
  let named = false;
  for (let i = firstWord; i < end; i += 1) {
    const word = wordAt(tokens, i);
    if (isQuestionWord(matcher, word)) named = true;
    else if (COPULAS.has(word.lower)) return named;
    else if (i >= firstWord + 2 && !named) return false;
  }
  return false;
}
