import { languageOfWords, stopWords } from '../analysis/languages.ts';
import { allWords, askWords, DIALOGUE, packOf } from '../languages/index.ts';
import { CAPITAL, type Word, wordsOf } from '../analysis/words.ts';

const AUXILIARIES = allWords(({ question }) => question?.auxiliaries, DIALOGUE);
const HELPERS = allWords(({ question }) => question?.helpers);
const CLOSING_VERBS = allWords(({ question }) => question?.closingVerbs);
export const DETERMINERS = allWords(({ small }) => small?.determiners);

/** Words that only hold a question together: no part of what it is about. */
export const FRAME = new Set([
  ...askWords().split(/[| ]/u),
  ...AUXILIARIES,
  ...allWords(({ question }) => [question?.verbs, question?.requests, question?.frame], DIALOGUE),
]);

/** After these, what is asked for follows: 'Which employees …', 'How many guests …'. */
export const THING_ASKERS = new Set([
  ...askWords(['which', 'what']).split('|'),
  ...askWords(['quantity'])
    .split('|')
    .map((words) => words.split(' ').at(-1) ?? ''),
]);
/** After these, a verb may follow at once: 'Who wrote …'. */
const VERB_ASKERS = new Set(askWords(['person', 'what', 'time', 'place', 'manner']).split('|'));

export const clean = (text: string): string =>
  text
    .replace(/(?<![\s?？؟¿!.,;:])[\s?？؟¿!.,;:]+$/u, '')
    .replace(/^¿/u, '')
    .trim();

const WHO_OR_WHAT = new Set(askWords(['person', 'which', 'what']).split('|'));

const SPOKEN = DIALOGUE.map(({ code }) => code);

/** The language a short question is written in, as far as it refers back: by its own small words. */
export const languageOf = (text: string): string =>
  languageOfWords(wordsOf(text.replaceAll('-', ' ')).words, SPOKEN);

export interface Token {
  word: Word;
  start: number;
  end: number;
}

export function tokensOf(text: string): Token[] {
  const { words, starts, ends } = wordsOf(text);
  return words.map((each, i) => ({ word: each, start: starts[i] ?? 0, end: ends[i] ?? 0 }));
}

export const isCapital = ({ word: { shape } }: Token): boolean => (shape & CAPITAL) !== 0;

/** What a question is about, in its own words: 'the lease' of 'When does the lease end?'. */
export function topicOf(question: string): string {
  const text = clean(question);
  const language = languageOf(text);
  const tokens = tokensOf(text);
  const first = topicStart(tokens, language);
  if (first === -1) return '';
  const noun = tokens.findLastIndex(
    (token, i) => i >= first && (isCapital(token) || /\p{N}/u.test(token.word.lower)),
  );
  let last = tokens.length - 1;
  if (packOf(language).capitalNouns && noun !== -1) last = noun;
  const verb = packOf(language).question?.closingVerbs ? closingVerb(tokens, first) : -1;
  if (verb > first) last = verb - 1;
  return text.slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? text.length);
}

export const lowerAt = (tokens: readonly Token[], i: number): string => tokens[i]?.word.lower ?? '';

function topicStart(tokens: readonly Token[], language: string): number {
  const first = tokens.findIndex(
    ({ word: { lower } }) =>
      !FRAME.has(lower) && (DETERMINERS.has(lower) || !stopWords(language).has(lower)),
  );
  if (first <= 0) return first;
  const before = lowerAt(tokens, first - 1);
  // 'What colour is the car?' is about the car.
  if (THING_ASKERS.has(before)) {
    const verb = tokens.findIndex(({ word: { lower } }, i) => i > first && AUXILIARIES.has(lower));
    if (verb !== -1 && verb + 1 < tokens.length) return verb + 1;
  }
  // 'Who wrote the report?' is about the report.
  const does = VERB_ASKERS.has(before);
  const [verb, object] = [tokens[first], tokens[first + 1]];
  if (!does || verb === undefined || object === undefined) return first;
  const named = DETERMINERS.has(object.word.lower) || isCapital(object);
  return named && !isCapital(verb) && !DETERMINERS.has(verb.word.lower) ? first + 1 : first;
}

/** Where the verb stands that ends the topic of an English question; -1 where none is known. */
function closingVerb(tokens: readonly Token[], first: number): number {
  const before = lowerAt(tokens, first - 1);
  const helps = HELPERS.has(before);
  const known = tokens.findIndex(({ word }, i) => i > first && CLOSING_VERBS.has(word.lower));
  if (helps && known !== -1) return known;
  // 'Is the flat furnished?', 'When was Goethe born?'; but 'What is the rent?'
  const isVerbLast = AUXILIARIES.has(before) && !WHO_OR_WHAT.has(lowerAt(tokens, first - 2));
  const [last, end] = [tokens.at(-1), tokens.length - 1];
  const least = DETERMINERS.has(lowerAt(tokens, first)) ? 2 : 1;
  const ends = end - first >= least && last !== undefined && !isCapital(last);
  return (helps || isVerbLast) && ends ? end : -1;
}
