import { languageOfWords, stopWords } from '../text/languages.ts';
import { allWords } from '../languages/index.ts';
import { ALL_CAPS, CAPITAL, DIGIT, termsOf, type Word, wordsOf } from '../text/words.ts';
import type { Span } from '../types.ts';
import {
  ALL_FILES,
  normalizeQuestion,
  type QuestionFiles,
  readScope,
  type Scope,
  type ScopeOptions,
} from '../scope/scope.ts';
import { dateHints, monthTerms, type QuestionDate, type SearchHint } from './dates.ts';

interface QuestionTerm {
  surface: string;
  /** Its terms in each of the user's languages. A passage matches with any of them. */
  variants: string[];
  /** Its weight before rarity. 1 is a plain content word. */
  weight: number;
  /** Its inverse document frequency, or 1 before the index was queried. */
  rarity: number;
  /** Whether it is a name, number or code, which nothing else can replace. */
  name: boolean;
  capital: boolean;
}

export const TERM_WEIGHTS = {
  /** Words for the kind of answer, such as 'year' in 'in what year'. */
  answerKind: 0.4,
  /** A part of a code or address: INV of INV-2024-001. */
  part: 0.3,
} as const;

export interface Question {
  text: string;
  /** The likeliest of the user's languages (ISO 639-1). */
  language: string;
  languages: string[];
  terms: QuestionTerm[];
  /** All variants once, separated by spaces, as the query for the index. */
  query: string;
  dates: readonly QuestionDate[];
  /** Additional weighted search terms: other ways to write dates. */
  hints: readonly SearchHint[];
  files: QuestionFiles;
}

const ANSWER_KINDS = allWords(({ answerKinds }) => answerKinds);

const ASIDE = { weight: 0.02, name: false, capital: false } as const;

const isCapital = (word: Word): boolean => (word.shape & CAPITAL) !== 0;

const HIRAGANA = /^\p{Script=Hiragana}+$/u;

function isStopWord(word: Word, language: string, shouting: boolean): boolean {
  if ((word.shape & ALL_CAPS) !== 0 && !shouting) return false;
  return stopWords(language).has(word.lower) || HIRAGANA.test(word.surface);
}

/**
 * Analyses a question in languages (ISO 639-1, most used first). Stop words are removed unless there
 * is nothing else. Codes and numbers count whole and, less, in parts. Asides of `scope` count less.
 */
export function analyzeQuestion(
  question: string,
  languages: readonly string[],
  scope: Scope = { files: ALL_FILES, dates: [], asides: [] },
): Question {
  const text = normalizeQuestion(question);
  const spoken = languages.length === 0 ? ['en'] : [...new Set(languages)];
  const { words, starts, ends } = wordsOf(text);
  const language = languageOfWords(words, spoken);
  const shouting =
    words.length > 2 &&
    words.every((word, i) => i === 0 || word.lower.length < 4 || isCapital(word));
  const content = words.filter((word) => !isStopWord(word, language, shouting));
  const significant = content.length > 0 ? content : words;
  const terms: QuestionTerm[] = [];
  const position = new Map<string, number>();
  const places: (Span & { term: number })[] = [];
  for (const [i, word] of words.entries()) {
    if (!significant.includes(word)) continue;
    const index = addTerms(word, word === words[0] || shouting, spoken, terms, position);
    places.push({ start: starts[i] ?? 0, end: ends[i] ?? 0, term: index });
  }
  const termsIn = ({ start, end }: Span): number[] => [
    ...new Set(places.filter((place) => place.start < end && start < place.end).map((p) => p.term)),
  ];
  const query = [...new Set(terms.flatMap((term) => term.variants))].join(' ');
  // Many files write 'Dec' for 'December'.
  for (const { range, ...span } of scope.dates) {
    for (const index of termsIn(span)) {
      const term = terms[index];
      if (term === undefined || !/^\p{L}+$/u.test(term.surface)) continue;
      const variants = [...new Set([...term.variants, ...monthTerms(range, spoken)])];
      terms[index] = { ...term, variants };
    }
  }
  const asides = new Set(scope.asides.flatMap(termsIn));
  // Without other words, these are the question.
  const hasOtherTerms = places.some(({ term }) => !asides.has(term));
  return {
    text,
    language,
    languages: spoken,
    terms: terms.map((term, i) => (hasOtherTerms && asides.has(i) ? { ...term, ...ASIDE } : term)),
    query,
    dates: scope.dates.map(({ range, ...span }) => ({ range, terms: termsIn(span) })),
    hints: scope.dates.flatMap(({ range }) => dateHints(range, spoken)),
    files: scope.files,
  };
}

export const readQuestion = (question: string, options: ScopeOptions): Question =>
  analyzeQuestion(question, options.languages, readScope(question, options));

export interface TermFrequencies {
  chunks: number;
  /** Terms without a chunk may be missing. */
  documents: ReadonlyMap<string, number>;
}

/** Added to the counts, so that rarity matters little in a small library. */
const SMOOTHING = { chunks: 50, documents: 5 } as const;

/** Sets the inverse document frequency (Spärck Jones 1972) of each term's commonest variant. */
export function withRarity(question: Question, { chunks, documents }: TermFrequencies): Question {
  const rarityOf = ({ variants }: QuestionTerm): number => {
    const highest = Math.max(0, ...variants.map((variant) => documents.get(variant) ?? 0));
    return Math.log((chunks + SMOOTHING.chunks) / (highest + SMOOTHING.documents));
  };
  return {
    ...question,
    terms: question.terms.map((term) => ({ ...term, rarity: rarityOf(term) })),
  };
}

/** Adds a word's term and the parts of a code with less weight. Returns the term's position. */
function addTerms(
  word: Word,
  first: boolean,
  languages: readonly string[],
  terms: QuestionTerm[],
  position: Map<string, number>,
): number {
  const byLanguage = languages.map((language) => termsOf(word, language));
  const wholes = [...new Set(byLanguage.flatMap((list) => list.slice(0, 1)))];
  const key = wholes.join(' ');
  const known = position.get(key);
  if (known !== undefined) return known;
  const capital = isCapital(word) && !first;
  const name = capital || (word.shape & DIGIT) !== 0;
  const weight = !name && ANSWER_KINDS.has(word.lower) ? TERM_WEIGHTS.answerKind : 1;
  const index = terms.length;
  position.set(key, index);
  terms.push({ surface: word.surface, variants: wholes, weight, rarity: 1, name, capital });
  const parts = new Set(byLanguage.flatMap((list) => list.slice(1)));
  for (const part of parts) {
    if (wholes.includes(part) || position.has(part)) continue;
    position.set(part, terms.length);
    const { part: weight } = TERM_WEIGHTS;
    terms.push({ surface: part, variants: [part], weight, rarity: 1, name: false, capital: false });
  }
  return index;
}
