import type { Value } from './values.ts';
import { detectLanguage } from '../text/languages.ts';
import { splitSentences } from '../text/sentences.ts';
import { ALL_CAPS, DIGIT, type Word, wordsOf } from '../text/words.ts';
import { commonWords } from '../languages/common-words.ts';
import { alternatives, packOf } from '../languages/index.ts';
import { withoutInstructions } from '../question/instructions-in-text.ts';
import { contradicts, misquotes } from './contradiction.ts';
import type { Source } from './source.ts';
import {
  clausesOf,
  holdsValue,
  holdsWord,
  squeeze,
  type Statement,
  statementOf,
  type Statements,
  statementsOf,
} from './statement.ts';

/** One number, name or code of a claim, which must stand in the sources or the question. */
type Anchor = { value: Value } | { word: Word } | { code: string };

/** A sentence of an answer, taken apart. */
export interface Claim {
  text: string;
  statement: Statement;
  /** Its words without those with which an answer speaks about its sources. */
  words: Word[];
  anchors: Anchor[];
  /** Whether it has code that stands in a source just so; nothing fresh is asked of it then. */
  quoted: boolean;
}

/** As much of the end of a question tells the language of a short answer, in UTF-16 units. */
const LAST_ASKED = 200;
const SHORT = 60;

/** The question as a statement: a claim may repeat its words, numbers and names. */
export const questionStatement = (question: string): Statement & { text: string } => ({
  ...statementOf(question, detectLanguage(question)),
  text: question.slice(-LAST_ASKED),
});

/** Words with which an answer speaks about its sources, not about what they say. */
const OF_SOURCES = new RegExp(`^(?:${alternatives(({ claims }) => claims?.lacks?.[0])})$`, 'u');

/**
 * Takes a sentence apart into the words, numbers and names that its sources must hold.
 * @param asked what it answers, which tells the language of a short one
 */
export function claimOf(text: string, asked = ''): Omit<Claim, 'quoted'> {
  const language = detectLanguage(text.length < SHORT ? `${asked}\n${text}` : text);
  const statement = statementOf(text, language);
  const words = statement.words.filter(({ lower }) => !OF_SOURCES.test(lower));
  const codes = words.filter(isCode);
  const addresses = [...text.matchAll(/(?:https?:\/\/|www\.)[^\s)>"”]+/giu)].map(
    ([found]) => found,
  );
  return {
    text,
    statement,
    words: words.filter(({ lower }) => !/^[a-z]$/u.test(lower)),
    anchors: [
      ...statement.values
        .filter(({ family }) => family !== 'rate' && !String(family).startsWith('name'))
        .map((value) => ({ value })),
      ...[...codes.map(({ lower }) => lower), ...addresses].map((code) => ({
        code: squeeze(code),
      })),
      ...namesOf(statement, words)
        .filter((word) => !codes.includes(word))
        .map((word) => ({ word })),
    ],
  };
}

/** 5th, 30km and 2024-05-01 are numbers; A4, FY2017 and INV-2041 are codes. */
const isCode = ({ lower, shape }: Word): boolean =>
  (shape & DIGIT) === 0 ? /@|\w\.\w/u.test(lower) : /^\p{L}+[-_./]?\d|\p{L}[-_./]\d/u.test(lower);

/** The words of names; one at the head of a sentence only where it can be no common word. */
function namesOf({ language, names }: Statement, words: readonly Word[]): Word[] {
  const { claims } = packOf(language);
  const common = commonWords(language);
  const isCommon = ({ lower }: Word): boolean =>
    (claims?.commonEnding?.test(lower) ?? true) || common.has(lower);
  const capitals = words.filter(({ shape }) => (shape & (ALL_CAPS | DIGIT)) === ALL_CAPS);
  const named = names.flatMap((name) =>
    name.words.filter((word) => words.includes(word) && (name.isSure || !isCommon(word))),
  );
  return [...new Set([...capitals, ...named])];
}

export function holdsAnchor(statement: Statement, anchor: Anchor): boolean {
  if ('value' in anchor) return holdsValue(statement, anchor.value);
  if ('code' in anchor) return statement.squeezed.includes(anchor.code);
  return holdsWord(statement, anchor.word);
}

/** Whether an anchor alone shows what a text in another language is about. */
function tells(statement: Statement, anchor: Anchor): boolean {
  if (!('value' in anchor)) return holdsAnchor(statement, anchor);
  const { family, keys } = anchor.value;
  // A lone digit stands in many a passage.
  const isLone = family === null && keys.every((key) => key.length < 2);
  return !isLone && holdsValue({ ...statement, index: new Set() }, anchor.value);
}

/**
 * Least share of a claim's words, beyond those of the question, and of all its words, that its sources
 * must hold; a word with digits counts for two. The rest is how else one may put it.
 */
const LEAST_HELD = { fresh: 0.5, all: 0.4 };
/** The same where the sources are computed figures, which are told in a few words of our own. */
const LEAST_OF_FIGURE = { fresh: 0.25, all: 0.25 };
/** Least share of a claim's words by which it repeats an order, or is about what was shown. */
const TELLING_SHARE = 0.5;

const weightOf = (words: readonly Word[]): number =>
  words.reduce((sum, { shape }) => sum + ((shape & DIGIT) === 0 ? 1 : 2), 0);

/**
 * Whether the sources, read together, support the claim: every number and name of it stands in
 * them or in the question, and so do enough of its other words, and they do not contradict it. A claim
 * in another language than its source shares no words with it: there a number or name has to do.
 */
export function supports(claim: Claim, sources: readonly Source[], question: Statement): boolean {
  const { words, anchors } = claim;
  if (words.length === 0 || sources.length === 0) return false;
  const shown = sources.map(({ whole }) => whole);
  const isHeld = (anchor: Anchor): boolean => shown.some((each) => holdsAnchor(each, anchor));
  if (!anchors.every((anchor) => isHeld(anchor) || holdsAnchor(question, anchor))) return false;
  const isForeign = sources.every(({ whole }) => whole.language !== claim.statement.language);
  const told = (anchor: Anchor): boolean =>
    !holdsAnchor(question, anchor) && shown.some((each) => tells(each, anchor));
  if (!hasEnoughWords(claim, sources, question) && !(isForeign && anchors.some(told))) return false;
  return !contradicts(saidIn(claim, sources), joined(sources));
}

function hasEnoughWords(claim: Claim, sources: readonly Source[], question: Statement): boolean {
  const { words, text, quoted } = claim;
  const shown = sources.map(({ whole }) => whole);
  const held = new Set(words.filter((word) => shown.some((each) => holdsWord(each, word))));
  const fresh = quoted ? [] : words.filter((word) => !holdsWord(question, word));
  const least = sources.every(({ passage }) => passage.figure !== undefined)
    ? LEAST_OF_FIGURE
    : LEAST_HELD;
  // A part that is all its own adds something: 'The nurse was hit, was drunk and fled the scene.'
  const addsClause = clausesOf(text).some((clause) => {
    const own = wordsOf(clause).words.filter((word) => words.includes(word));
    return own.length > 1 && own.every((word) => fresh.includes(word) && !held.has(word));
  });
  return (
    held.size > 0 &&
    weightOf(fresh.filter((word) => held.has(word))) >= weightOf(fresh) * least.fresh &&
    weightOf([...held]) >= weightOf(words) * least.all &&
    !addsClause
  );
}

const joined = (sources: readonly Statements[]): Statements => ({
  sentences: sources.flatMap(({ sentences }) => sentences),
  clauses: sources.flatMap(({ clauses }) => clauses),
});

/** 'No, …', which denies the question and not what follows. */
const ANSWERED = /^\p{L}{2,4},\s+/u;

/** A claim in the language of its sources: a short one may be taken for another. */
const saidIn = ({ text }: Claim, [source]: readonly Source[]): Statements =>
  statementsOf([text.replace(ANSWERED, '')], source?.whole.language ?? 'en');

/** Whether a claim has the words of a sentence of the sources, and says other than that. */
export const isMisquote = (claim: Claim, sources: readonly Source[]): boolean =>
  misquotes(saidIn(claim, sources), joined(sources));

/** The words, numbers and names of a claim that a source holds. */
export const heldBy = ({ words, anchors }: Claim, { whole }: Source): (Anchor | Word)[] => [
  ...anchors.filter((anchor) => holdsAnchor(whole, anchor)),
  ...words.filter((word) => holdsWord(whole, word)),
];

const isMostlyIn = (words: readonly Word[], statement: Statement): boolean =>
  words.length > 0 &&
  words.filter((word) => holdsWord(statement, word)).length >= words.length * TELLING_SHARE;

/** Whether a claim is an order to a model, or hands on what a source tells a model to say. */
export const repeatsOrder = ({ text, words }: Claim, sources: readonly Source[]): boolean =>
  withoutInstructions(text, splitSentences(text), '') !== text ||
  sources.some(({ orders }) => orders !== null && isMostlyIn(words, orders));

/** Whether a claim is about the question or about what was shown. */
export const isRelevant = ({ words }: Claim, sources: readonly Source[], question: Statement) =>
  words.some((word) => holdsWord(question, word)) ||
  sources.some(({ whole }) => isMostlyIn(words, whole));
