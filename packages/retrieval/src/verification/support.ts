import { splitSentences } from '../text/sentences.ts';
import { DIGIT, type Word, wordsOf } from '../text/words.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Claim } from './claim.ts';
import type { Source } from './source.ts';
import {
  clausesOf,
  holdsWord,
  type Statement,
  type Statements,
  statementsOf,
} from './statement.ts';
import { isRival, isSame } from './values.ts';

/** The share of the claim's words beyond the question that sources must contain. Words with digits count twice. */
const MIN_MATCHED = 0.5;
const MIN_SHARE = 0.5;

const weightOf = (words: readonly Word[]): number =>
  words.reduce((sum, { shape }) => sum + ((shape & DIGIT) === 0 ? 1 : 2), 0);

/**
 * Whether the sources together contain the claim's numbers, names and enough words, and do not contradict
 * it. In another language a number or name is enough. Quoted claims may use the question's words.
 */
export function isSupported(
  claim: Claim,
  sources: readonly Source[],
  question: Statement,
  isQuoted: boolean,
): boolean {
  if (claim.words.length === 0 || sources.length === 0) return false;
  const contexts = sources.map(({ whole }) => whole);
  const newAnchors = claim.anchors.filter(({ isIn }) => !isIn(question));
  if (!newAnchors.every(({ isIn }) => contexts.some(isIn))) return false;
  const isForeign =
    contexts.every(({ language }) => language !== claim.language) &&
    newAnchors.some(({ isDigit }) => !isDigit);
  return (
    (isForeign || hasWords(claim, contexts, question, isQuoted)) && !isContradicted(claim, sources)
  );
}

function hasWords(
  { text, words }: Claim,
  contexts: readonly Statement[],
  question: Statement,
  isQuoted: boolean,
): boolean {
  const matched = words.filter((word) => contexts.some((statement) => holdsWord(statement, word)));
  const newWords = isQuoted ? [] : words.filter((word) => !holdsWord(question, word));
  const isAdded = (word: Word): boolean => newWords.includes(word) && !matched.includes(word);
  // A clause of words that are in no source: 'The nurse was hit, was drunk and fled the scene.'
  const addsClause = clausesOf(text).some((clause) => {
    const clauseWords = wordsOf(clause).words.filter((word) => words.includes(word));
    return clauseWords.length > 1 && clauseWords.every(isAdded);
  });
  const newHeld = weightOf(newWords.filter((word) => matched.includes(word)));
  return matched.length > 0 && newHeld >= weightOf(newWords) * MIN_MATCHED && !addsClause;
}

/** 'No, …' denies the question, not what follows. */
const ANSWERED = /^\p{L}{2,4},\s+/u;

export function isContradicted({ text }: Claim, sources: readonly Source[]): boolean {
  // A short claim may be detected as another language.
  const statements = statementsOf([text.replace(ANSWERED, '')], sources[0]?.whole.language ?? 'en');
  return contradicts(statements, {
    sentences: sources.flatMap(({ sentences }) => sentences),
    clauses: sources.flatMap(({ clauses }) => clauses),
  });
}

const isMostlyIn = (words: readonly Word[], statement: Statement): boolean =>
  words.length > 0 &&
  words.filter((word) => holdsWord(statement, word)).length >= words.length * MIN_SHARE;

export const isOrder = ({ text }: Claim): boolean =>
  withoutInstructions(text, splitSentences(text), '') !== text;

export const repeatsOrder = ({ words }: Claim, sources: readonly Source[]): boolean =>
  sources.some(({ orders }) => orders !== null && isMostlyIn(words, orders));

export const isRelevant = ({ words }: Claim, sources: readonly Source[], question: Statement) =>
  words.some((word) => holdsWord(question, word)) ||
  sources.some(({ whole }) => isMostlyIn(words, whole));

const VARIANT = 0.8;
const SAME_SUBJECT = 0.6;

type Terms = ReadonlySet<string>;
type Test = (other: Statement) => boolean;
type Relation = (terms: Terms, others: Terms) => boolean;

const isVariant: Relation = (terms, others) =>
  terms.intersection(others).size >= terms.union(others).size * VARIANT;
const hasSubject: Relation = (terms, others) =>
  terms.intersection(others).size >= terms.size * SAME_SUBJECT;

/** Whether the sources' closest sentences or clauses have another polarity or value. */
export const contradicts = (claims: Statements, sources: Statements): boolean =>
  claims.sentences.some((claim) => isDenied(claim, sources.sentences, isVariant)) ||
  claims.clauses.some((claim) => isDenied(claim, sources.clauses, hasSubject));

function isDenied(claim: Statement, others: readonly Statement[], isRelated: Relation): boolean {
  /** Whether a statement that denies the claim shares more terms with it than any that confirms it. */
  const isOutweighed = (terms: Terms, denies: Test, confirms: Test): boolean => {
    let [denied, confirmed] = [-1, -1];
    for (const other of others) {
      const shared = terms.intersection(other.terms).size;
      if (shared > confirmed && confirms(other)) confirmed = shared;
      else if (shared > denied && isRelated(terms, other.terms) && denies(other)) denied = shared;
    }
    return denied > confirmed;
  };
  const confirmsSide: Test = (other) => !isContrary(claim, other);
  if (claim.terms.size > 1 && isOutweighed(claim.terms, () => true, confirmsSide)) return true;
  return claim.values.some((value) => {
    // A name is also a term.
    const terms =
      value.family === 'name' ? claim.terms.difference(new Set(value.keys)) : claim.terms;
    const confirms: Test = ({ values }) => values.some((other) => isSame(value, other));
    // A row may have the bare number, whose rivals are bare numbers.
    const forms = [
      value,
      ...others.flatMap(({ values }) => values.filter((other) => isSame(value, other))),
    ];
    const denies: Test = ({ values }) =>
      values.some((other) => forms.some((form) => isRival(form, other)));
    return isOutweighed(terms, denies, confirms);
  });
}

const isContrary = (a: Statement, b: Statement): boolean =>
  (a.negative !== b.negative) !== isOpposed(a, b);

const isOpposed = (a: Statement, b: Statement): boolean =>
  [...a.sides].some((side) => {
    const against = side.slice(0, -1) + (side.endsWith('+') ? '-' : '+');
    const isPlain = !a.sides.has(against) && !b.sides.has(side);
    return isPlain && b.sides.has(against);
  });
