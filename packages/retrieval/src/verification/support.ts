import { splitSentences } from '../text/sentences.ts';
import { DIGIT, type Word, wordsOf } from '../text/words.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import type { Claim } from './claim.ts';
import { contradicts } from './contradiction.ts';
import type { Source } from './source.ts';
import { clausesOf, holdsWord, type Statement, statementsOf } from './statement.ts';

/** Share of a claim's words beyond the question that sources hold. Words with digits count twice. */
const LEAST_HELD = 0.5;
const TELLING_SHARE = 0.5;

const weightOf = (words: readonly Word[]): number =>
  words.reduce((sum, { shape }) => sum + ((shape & DIGIT) === 0 ? 1 : 2), 0);

/**
 * Whether the sources together hold the claim's numbers, names and enough words, and do not contradict
 * it. In another language a number or name is enough. Quoted claims may use the question's words.
 */
export function isSupported(
  claim: Claim,
  sources: readonly Source[],
  question: Statement,
  isQuoted: boolean,
): boolean {
  if (claim.words.length === 0 || sources.length === 0) return false;
  const shown = sources.map(({ whole }) => whole);
  const fresh = claim.anchors.filter(({ isIn }) => !isIn(question));
  if (!fresh.every(({ isIn }) => shown.some(isIn))) return false;
  const isForeign =
    shown.every(({ language }) => language !== claim.language) &&
    fresh.some(({ isDigit }) => !isDigit);
  return (
    (isForeign || hasWords(claim, shown, question, isQuoted)) && !isContradicted(claim, sources)
  );
}

function hasWords(
  { text, words }: Claim,
  shown: readonly Statement[],
  question: Statement,
  isQuoted: boolean,
): boolean {
  const held = words.filter((word) => shown.some((each) => holdsWord(each, word)));
  const fresh = isQuoted ? [] : words.filter((word) => !holdsWord(question, word));
  const isAdded = (word: Word): boolean => fresh.includes(word) && !held.includes(word);
  // A clause of words that stand nowhere: 'The nurse was hit, was drunk and fled the scene.'
  const addsClause = clausesOf(text).some((clause) => {
    const own = wordsOf(clause).words.filter((word) => words.includes(word));
    return own.length > 1 && own.every(isAdded);
  });
  const freshHeld = weightOf(fresh.filter((word) => held.includes(word)));
  return held.length > 0 && freshHeld >= weightOf(fresh) * LEAST_HELD && !addsClause;
}

/** 'No, …', which denies the question and not what follows. */
const ANSWERED = /^\p{L}{2,4},\s+/u;

export function isContradicted({ text }: Claim, sources: readonly Source[]): boolean {
  // In the language of its sources: a short one may be taken for another.
  const said = statementsOf([text.replace(ANSWERED, '')], sources[0]?.whole.language ?? 'en');
  return contradicts(said, {
    sentences: sources.flatMap(({ sentences }) => sentences),
    clauses: sources.flatMap(({ clauses }) => clauses),
  });
}

const isMostlyIn = (words: readonly Word[], statement: Statement): boolean =>
  words.length > 0 &&
  words.filter((word) => holdsWord(statement, word)).length >= words.length * TELLING_SHARE;

export const isOrder = ({ text }: Claim): boolean =>
  withoutInstructions(text, splitSentences(text), '') !== text;

export const repeatsOrder = ({ words }: Claim, sources: readonly Source[]): boolean =>
  sources.some(({ orders }) => orders !== null && isMostlyIn(words, orders));

export const isRelevant = ({ words }: Claim, sources: readonly Source[], question: Statement) =>
  words.some((word) => holdsWord(question, word)) ||
  sources.some(({ whole }) => isMostlyIn(words, whole));
