import { alternatives, anyWord, askWords, LANGUAGES } from '../languages/index.ts';
import { standaloneQuestion } from './follow-up.ts';

/** One of the questions that somebody asked in one go. */
export interface QuestionPart {
  /** The part as a question that can be understood, and searched for, without the others. */
  text: string;
  /** As it was asked, without what joins it to the others: how it is spoken of. */
  asked: string;
}

/** Parts that are told apart at most; what else is asked stays with the last one. */
const MOST_PARTS = 4;
/** Places looked at where a question might be cut. */
const MOST_JOINTS = 40;

/** The languages in which clauses are told apart. */
const JOINING = LANGUAGES.filter(({ small }) => small?.and !== undefined);

const QUESTION_WORD = `(?:${askWords(undefined, JOINING)})`;
const PREPOSITIONS = anyWord(({ small }) => small?.prepositions);
const PREPOSITION = String.raw`(?:(?:${PREPOSITIONS})\s+)?`;
const AND = anyWord(({ small }) => small?.and);
const BEGINS_QUESTION = new RegExp(`^${PREPOSITION}${QUESTION_WORD}(?!\\p{L})`, 'iu');
const HAS_QUESTION = new RegExp(`(?<!\\p{L})${QUESTION_WORD}(?!\\p{L})`, 'iu');
const ALSO = anyWord(({ small }) => small?.also);
const COMMA = String.raw`(?:(?<!\s)\s+)?[,;]\s*`;
/** Between a clause that asks and the next one. */
const joint = (words: string): RegExp =>
  new RegExp(String.raw`${words}(?=${PREPOSITION}${QUESTION_WORD}\s)`, 'giu');
const NEXT_QUESTION = joint(String.raw`(?:${COMMA}|(?<!\s)\s+)(?:${AND})\s+(?:(?:${ALSO})\s+)?`);
const LISTED_QUESTION = joint(COMMA);
const AUXILIARY = anyWord(({ question }) => question?.auxiliaries, JOINING);
const REQUEST = anyWord(({ question }) => question?.requests);
const VERB = anyWord(({ question }) => question?.verbs);
const ASKS = new RegExp(String.raw`^(?:${AUXILIARY}|${REQUEST})(?!\p{L})`, 'iu');
const FINITE = new RegExp(String.raw`(?<!\p{L})(?:${AUXILIARY}|${VERB})(?!\p{L})`, 'iu');
/** Words that may ask for a thing of a clause still to come: 'What colour and what size is it?' */
const NEEDS_VERB = new RegExp(
  String.raw`^(?:${askWords(['which', 'what', 'manner', 'quantity'], JOINING)})\s`,
  'iu',
);
const ENDS_ASKING = new RegExp(`(?<!\\p{L})${QUESTION_WORD}$`, 'iu');
const ASKS_HOW_IT_CAME = new RegExp(
  String.raw`^(?:${askWords(['time', 'place', 'reason'], JOINING)})\s`,
  'iu',
);

/** 'When and where was it built?': two ways to ask one thing. */
const CIRCUMSTANCE = askWords(['time', 'place', 'reason', 'manner', 'person']);
const TWO_WORDS = new RegExp(
  String.raw`^(${CIRCUMSTANCE})\s+(?:${AND})\s+(${CIRCUMSTANCE})\s+(\S+\s+\S.*)$`,
  'iu',
);

const COMPARE = new RegExp(
  String.raw`^(?:\p{L}+\s+)?(?:${alternatives(({ comparing }) => comparing?.compare)})\s+(\S.*)$`,
  'iu',
);
/** What parts the two sides of a comparison; the plain 'and' only where there is but one. */
const SIDES = [
  alternatives(({ comparing }) => comparing?.sides),
  `${AND}|${alternatives(({ comparing }) => comparing?.weakSides)}`,
].map((words) => new RegExp(String.raw`(?<!\s)\s+(?:${words})\s+`, 'iu'));
/** 'the rent in Berlin' and 'Munich': what stands before the one belongs to the other, too. */
const SHARED_HEAD = new RegExp(String.raw`^(.*\s(?:${PREPOSITIONS}))\s+\S`, 'iu');

/** 'What are the rent, the deposit and the notice period of the flat?' */
const LISTED_THINGS = new RegExp(
  String.raw`^(${alternatives(({ comparing }) => comparing && `(?:${comparing.listed})`)})\s+(\S.*)$`,
  'iu',
);
const DETERMINER = anyWord(({ small }) => [small?.determiners, small?.possessives]);
const THING = new RegExp(String.raw`^(?:${DETERMINER})(?:\s+[\p{L}\p{N}'’-]+){1,3}$`, 'iu');
const TAIL = new RegExp(String.raw`^(.*?)(\s(?:${PREPOSITIONS})\s.+)$`, 'isu');
const BETWEEN_THINGS = new RegExp(
  String.raw`(?:(?<!\s)\s+)?,\s*(?:(?:${AND})\s+)?|(?<!\s)\s+(?:${AND})\s+`,
  'iu',
);
const OWN = new RegExp(`^(?:${DETERMINER})\\s`, 'iu');

const wordCount = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const trimmed = (text: string): string =>
  text.replace(/^[\s,;]+/u, '').replace(/(?<![\s,;.?!？؟])[\s,;.?!？؟]+$/u, '');

/** 'a? b?' and numbered lines; what follows the last question mark and asks nothing stays with it. */
function bySentences(text: string): string[] {
  const pieces = text
    .split(/(?<=[?？؟])\s*(?=\S)|\n+/u)
    .map((piece) => piece.replace(/^\s*(?:\d{1,2}[.)]|[-*•])\s+/u, '').trim())
    .filter(Boolean);
  const whole: string[] = [];
  for (const piece of pieces) {
    const asks = /[?？؟]$/u.test(piece) || BEGINS_QUESTION.test(piece) || ASKS.test(piece);
    const says =
      wordCount(piece) > 1 || /[\p{scx=Han}\p{scx=Hiragana}\p{Script=Thai}]/u.test(piece);
    if (whole.length === 0 || (asks && says)) whole.push(piece);
    // 'Thanks!' asks nothing.
    else if (asks || wordCount(piece) > 2) whole.push(`${whole.pop() ?? ''} ${piece}`);
  }
  return whole;
}

/** Cuts where a second clause asks anew, if what stands before it asks something, too. */
function byClauses(text: string): string[] {
  const parts = cutAt(text, NEXT_QUESTION);
  return parts.length === 1 ? parts : parts.flatMap((part) => cutAt(part, LISTED_QUESTION));
}

function cutAt(text: string, joint: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(joint).take(MOST_JOINTS)) {
    const left = text.slice(from, match.index);
    const right = text.slice(match.index + match[0].length);
    // 'and what?' asks for a word of the same clause.
    const least = ASKS_HOW_IT_CAME.test(right) ? 2 : 3;
    if (!isClause(left.trim()) || wordCount(right) < least) continue;
    parts.push(left);
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)];
}

function isClause(text: string): boolean {
  if (ENDS_ASKING.test(text) || wordCount(text) < 3) return false;
  if (!HAS_QUESTION.test(text) && !ASKS.test(text)) return false;
  return !NEEDS_VERB.test(text) || FINITE.test(text) || wordCount(text) > 5;
}

function byQuestionWords(text: string): string[] {
  const [, first, second, rest] = TWO_WORDS.exec(text) ?? [];
  const alike = first?.toLowerCase() === second?.toLowerCase();
  return rest === undefined || alike ? [text] : [`${first} ${rest}`, `${second} ${rest}`];
}

function byComparison(text: string): string[] {
  const compared = COMPARE.exec(trimmed(text))?.[1];
  if (compared === undefined) return [text];
  for (const side of SIDES) {
    const sides = compared.split(side);
    const [one = '', other = ''] = sides.map(trimmed);
    if (sides.length !== 2 || one.toLowerCase() === other.toLowerCase()) continue;
    const head = OWN.test(other) ? undefined : SHARED_HEAD.exec(one)?.[1];
    return [one, head === undefined || SHARED_HEAD.test(other) ? other : `${head} ${other}`];
  }
  return [text];
}

function byThings(text: string): string[] {
  const [, head, list] = LISTED_THINGS.exec(trimmed(text)) ?? [];
  if (head === undefined || list === undefined) return [text];
  const things = list.split(BETWEEN_THINGS);
  if (things.length < 2) return [text];
  const [, thing, tail] = TAIL.exec(things.at(-1) ?? '') ?? [];
  const plain = tail === undefined ? things : [...things.slice(0, -1), thing ?? ''];
  if (!plain.every((item) => THING.test(item))) return [text];
  return plain.map((item) => `${head} ${item}${tail ?? ''}`);
}

/**
 * Takes apart what asks for several things: 'What is the rent and when is it due?', 'Compare the
 * rent in Berlin and Munich', two questions in a row. Each part is made whole: 'when is it due'
 * becomes 'when is the rent due'. Names joined by 'and' stay as they are, and so does 'between A and B'.
 * @returns one part for a question that asks for one thing
 */
export function splitQuestion(text: string): QuestionPart[] {
  let pieces = bySentences(text);
  for (const split of [byClauses, byQuestionWords, byComparison, byThings]) {
    pieces = pieces.flatMap(split);
  }
  const asked = pieces.map(trimmed).filter(Boolean);
  if (asked.length < 2) return [{ text, asked: trimmed(text) }];
  const kept = asked.slice(0, MOST_PARTS);
  if (asked.length > MOST_PARTS) {
    kept.push(`${kept.pop() ?? ''}, ${asked.slice(MOST_PARTS).join(', ')}`);
  }
  const parts: QuestionPart[] = [];
  for (const part of kept) {
    const before = parts.map((earlier) => ({ question: earlier.text, answer: '' }));
    parts.push({ text: standaloneQuestion(part, before), asked: part });
  }
  return parts;
}
