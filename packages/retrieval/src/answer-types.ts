import type { PassageAnalysis, Sentence } from './passage-analysis.ts';
import type { QuestionType } from './question.ts';
import { CAPITAL, DIGIT } from './words.ts';
import type { Word } from './words.ts';

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

/** Whether a word that the question does not name could be the answer it asks for. */
type WordTest = (word: Word, before: Word | undefined, opens: boolean) => boolean;

const TESTS: Partial<Record<QuestionType, WordTest>> = {
  person: (word, _before, opens) => (word.shape & CAPITAL) !== 0 && !opens,
  place: (word, before, opens) =>
    (word.shape & CAPITAL) !== 0 && !opens && before !== undefined && PLACE_LEADS.has(before.lower),
  time: (word) =>
    YEAR.test(word.lower) ||
    DATE.test(word.lower) ||
    TIME_WORDS.has(word.lower) ||
    CJK_TIME.test(word.lower),
  quantity: (word) =>
    (word.shape & DIGIT) !== 0 || NUMBER_WORDS.has(word.lower) || CJK_NUMBER.test(word.lower),
  reason: (word) => REASON_WORDS.has(word.lower),
};

/**
 * Whether a sentence holds something of the kind a question asks for, outside the words the question
 * itself brought. Null for kinds that no form of words gives away.
 */
export function hasAnswerOfType(
  type: QuestionType,
  { words }: PassageAnalysis,
  sentence: Sentence,
  isQuestionWord: (word: Word) => boolean,
): boolean | null {
  if (type === 'definition') return isDefinition(words, sentence, isQuestionWord) ? true : null;
  const test = TESTS[type];
  if (test === undefined) return null;
  for (let i = sentence.firstWord; i < sentence.endWord; i += 1) {
    const word = words[i];
    if (word === undefined) break;
    const before = i === sentence.firstWord ? undefined : words[i - 1];
    if (test(word, before, i === sentence.firstWord) && !isQuestionWord(word)) return true;
  }
  return false;
}

const COPULAS = new Set(
  `is are was were means mean refers denotes describes ist sind war bedeutet bezeichnet est sont
signifie es son significa é são è sono это является`.split(/\s+/u),
);

/** 'X is …': the sentence opens with what is asked for, and a copula follows. */
function isDefinition(
  words: PassageAnalysis['words'],
  sentence: Sentence,
  isQuestionWord: (word: Word) => boolean,
): boolean {
  const end = Math.min(sentence.endWord, sentence.firstWord + 8);
  let named = false;
  for (let i = sentence.firstWord; i < end; i += 1) {
    const word = words[i];
    if (word === undefined) return false;
    if (isQuestionWord(word)) named = true;
    else if (COPULAS.has(word.lower)) return named;
    else if (i >= sentence.firstWord + 2 && !named) return false;
  }
  return false;
}
