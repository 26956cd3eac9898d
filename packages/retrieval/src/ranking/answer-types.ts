import { calendarNames } from '../languages/calendar.ts';
import { allWords, LANGUAGES } from '../languages/index.ts';
import type { Matcher } from './matching.ts';
import type { PassageAnalysis, Sentence } from '../analysis/passage-analysis.ts';
import type { QuestionType } from '../question/question.ts';
import { CAPITAL, DIGIT } from '../analysis/words.ts';
import type { Word, Words } from '../analysis/words.ts';

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

/** Whether a word that the question does not name could be the answer it asks for. */
type Fits = (word: Word, before: Word | undefined, opens: boolean) => boolean;

const isCapital = ({ shape }: Word): boolean => (shape & CAPITAL) !== 0;

/** What an answer of one kind looks like, word by word. */
const TESTS: Partial<Record<QuestionType, Fits>> = {
  person: (word, _before, opens) => isCapital(word) && !opens,
  place: (word, before) => isCapital(word) && before !== undefined && PLACE_LEADS.has(before.lower),
  time: ({ lower }) =>
    YEAR.test(lower) || DATE.test(lower) || TIME_WORDS.has(lower) || CJK_TIME.test(lower),
  quantity: ({ shape, lower }) =>
    (shape & DIGIT) !== 0 || NUMBER_WORDS.has(lower) || CJK_NUMBER.test(lower),
  reason: ({ lower }) => REASON_WORDS.has(lower),
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
  const fits = TESTS[type];
  if (fits === undefined) return null;
  const words = tokens.words.slice(sentence.firstWord, sentence.endWord);
  return words.some(
    (word, i) => fits(word, words[i - 1], i === 0) && !isQuestionWord(matcher, word),
  );
}

function isQuestionWord(matcher: Matcher, word: Word): boolean {
  const match = matcher.match(word);
  return match !== null && match.exact.length + match.lowered.length > 0;
}

const COPULAS = allWords(({ small }) => small?.copulas);

/** 'X is …': the sentence opens with what is asked for, and a copula follows. */
function isDefinition(
  { words }: Words,
  { firstWord, endWord }: Pick<Sentence, 'firstWord' | 'endWord'>,
  matcher: Matcher,
): boolean {
  let named = false;
  for (const [i, word] of words.slice(firstWord, Math.min(endWord, firstWord + 8)).entries()) {
    if (isQuestionWord(matcher, word)) named = true;
    else if (COPULAS.has(word.lower)) return named;
    else if (i >= 2 && !named) return false;
  }
  return false;
}
