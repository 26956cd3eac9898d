import { detectLanguage, stopWords } from '../text/languages.ts';
import { wordsOf } from '../text/words.ts';
import { LANGUAGES } from '../languages/index.ts';
import type { Question } from './question.ts';

export interface EarlierTurn {
  question: string;
  /** Markdown, or ''. */
  answer: string;
}

/** A question with fewer content words depends on the previous one. */
const FEW_WORDS = 3;
const MAX_LENGTH = 400;

const REFERENCES = new Map(
  LANGUAGES.map(({ code, references = '(?!)' }) => [
    code,
    new RegExp(`(?<![\\p{L}\\p{N}'’-])(?:${references})(?![\\p{L}\\p{N}'’-])`, 'iu'),
  ]),
);

/** Whether a question depends on the previous one. */
export function isFollowUp(text: string, earlier: readonly EarlierTurn[]): boolean {
  if (earlier.length === 0) return false;
  const language = detectLanguage(text);
  const content = wordsOf(text).words.filter(
    ({ lower }) => !stopWords(language).has(lower) && !stopWords('en').has(lower),
  );
  return content.length < FEW_WORDS || REFERENCES.get(language)?.test(text) === true;
}

const EARLIER_WEIGHT = 0.5;

/** Adds the terms of the previous question at half weight, and its dates and files by default. */
export function withEarlierTerms(question: Question, earlier: Question): Question {
  const ownTerms = new Set(question.terms.flatMap(({ variants }) => variants));
  const added = earlier.terms
    .filter(({ variants }) => !variants.some((variant) => ownTerms.has(variant)))
    .map((term) => ({ ...term, weight: term.weight * EARLIER_WEIGHT, name: false }));
  const hints = added.flatMap(({ variants }) =>
    variants.map((term) => ({ term, weight: EARLIER_WEIGHT })),
  );
  const { files } = question;
  const hasDates = question.dates.length > 0;
  const namesFiles = files.named.length > 0 || files.kinds.length > 0 || files.uploaded.length > 0;
  const text = `${question.text} ${earlier.text}`;
  return {
    ...question,
    text: text.length > MAX_LENGTH ? question.text : text,
    terms: [...question.terms, ...added],
    hints: [...question.hints, ...hints, ...(hasDates ? [] : earlier.hints)],
    // Term positions of the earlier question do not apply here.
    dates: hasDates ? question.dates : earlier.dates.map((date) => ({ ...date, terms: [] })),
    files: namesFiles || files.list !== null ? files : { ...earlier.files, list: null },
  };
}
