import { addWord, createHeadFilter, mayBe } from '../analysis/heads.ts';
import type { HeadFilter } from '../analysis/heads.ts';
import type { Matcher } from '../ranking/matching.ts';
import type { PassageAnalysis, Sentence } from '../analysis/passage-analysis.ts';
import type { QuestionType } from './question.ts';
import { HAS_CAPITAL, HAS_DIGIT, wordAt } from '../analysis/tokens.ts';
import type { Tokens } from '../analysis/tokens.ts';
import { CAPITAL, DIGIT } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

const NUMBER_WORDS = new Set(
  `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds
thousand thousands million millions billion trillion dozen half third quarter percent none zero
single both once twice few several zwei drei vier fünf sechs sieben acht neun zehn hundert tausend
deux trois quatre cinq sept huit neuf dix cent mille dos tres cuatro cinco siete ocho nueve diez
два три четыре пять десять сто тысяч`.split(/\s+/u),
);
const TIME_WORDS = new Set(
  `january february march april june july august september october november december monday tuesday
wednesday thursday friday saturday sunday century decade today yesterday annually monthly weekly
daily januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag
samstag sonntag janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre января февраля
марта апреля мая июня июля августа сентября октября ноября декабря год году года`.split(/\s+/u),
);
const PLACE_LEADS = new Set(
  `in at near from to of on into outside around across bei nach aus dans à en chez di da em na no в
из на около`.split(/\s+/u),
);
const REASON_WORDS = new Set(
  `because due since therefore thus cause caused causes reason reasons result resulted so order
owing purpose weil denn da damit wegen grund parce car afin porque потому поэтому из-за так`.split(
    /\s+/u,
  ),
);
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

/** The nearness of an answer whose kind no form of words gives away. */
const USUAL_NEARNESS = 0.15;

/**
 * Whether something of the asked kind is in a sentence (1, 0; 0.5 for an open kind) and how near it
 * stands to a word of the question, 1 / (1 + words between).
 *
 * @param found positions of the question's words in it, in pairs: word, term
 */
export function answerIn(
  type: QuestionType,
  analysis: PassageAnalysis,
  sentence: Pick<Sentence, 'firstWord' | 'endWord'>,
  matcher: Matcher,
  found: readonly number[],
): { type: number; nearness: number } {
  const { tokens } = analysis;
  const test = TESTS[type];
  if (test === undefined || found.length === 0) {
    const typed = hasAnswerOfType(type, analysis, sentence, matcher);
    return {
      type: typed === null ? 0.5 : Number(typed),
      nearness: test === undefined ? USUAL_NEARNESS : 0,
    };
  }
  let nearest = Infinity;
  for (let i = sentence.firstWord; i < sentence.endWord && nearest > 1; i += 1) {
    if (!mayBe(test.likely, tokens.heads[i] ?? 0)) continue;
    const word = wordAt(tokens, i);
    const opens = i === sentence.firstWord;
    const before = opens ? undefined : wordAt(tokens, i - 1);
    if (!test.fits(word, before, opens) || isQuestionWord(matcher, word)) continue;
    for (let hit = 0; hit < found.length; hit += 2)
      nearest = Math.min(nearest, Math.abs((found[hit] ?? 0) - i));
  }
  return nearest === Infinity ? { type: 0, nearness: 0 } : { type: 1, nearness: 1 / (1 + nearest) };
}

function isQuestionWord(matcher: Matcher, word: Word): boolean {
  const match = matcher.match(word);
  return match !== null && match.exact.length + match.lowered.length > 0;
}

const COPULAS = new Set(
  `is are was were means mean refers denotes describes ist sind war bedeutet bezeichnet est sont
signifie es son significa é são è sono это является`.split(/\s+/u),
);

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
