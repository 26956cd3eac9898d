import { wordsOfName } from '../question/asked.ts';
import { fieldsAt } from '../analysis/fields.ts';
import type { Field } from '../analysis/fields.ts';
import { mayBe } from '../analysis/heads.ts';
import { analyzePassage } from '../analysis/passage-analysis.ts';
import type { Question } from '../question/question.ts';
import { plainText } from '../ranking/rank.ts';
import type { RankedPassage, RankedSentence } from '../ranking/rank.ts';
import { HAS_DIGIT, LONGEST_TEXT, tokensOf, wordAt } from '../analysis/tokens.ts';
import type { Tokens } from '../analysis/tokens.ts';
import type { Strengths, Vocabulary } from '../analysis/vocabulary.ts';
import { MATCHING, REPLY } from '../ranking/weights.ts';
import { wordsOf } from '../analysis/words.ts';
import type { Word } from '../analysis/words.ts';

/** What speaks for a sentence as a reply, beside how its words fit; all are between 0 and 1. */
export interface ReplyFeatures {
  /** For a record, the share of what was asked that its values say: it is the record asked for. */
  key: number;
  /** Share of what is wanted that the sentence names. */
  focus: number;
  /** Where that is named, the share of all else that was asked and stands around it. */
  rest: number;
  /** 1 when a figure stands before the thing that was to be counted. */
  counted: number;
  /** Share of the passage's sentences that are lines of a form, a list, a table: short and named. */
  terse: number;
  /** Share of what was asked that is said neither here nor elsewhere in the file. */
  missing: number;
  /** 1 when a field's name says what was asked for and its value is new. */
  label: number;
  /** 1 when something looks like the asked value: an amount of money, a telephone number. */
  value: number;
  /** 1 when nothing is said but what the question said: a title, a heading. */
  echo: number;
}

/** How strongly each term stands in a passage, its file name and headings. */
export function strengthsAround(
  { filter, mark, none }: Vocabulary,
  { text, fileName, headings }: RankedPassage,
): Strengths {
  const strengths = none();
  for (const line of [fileName, ...headings]) {
    for (const word of wordsOf(line).words) mark(strengths, word);
  }
  const { tokens } = analyzePassage(text);
  for (let i = 0; i < tokens.heads.length; i += 1) {
    if (mayBe(filter, tokens.heads[i] ?? 0)) mark(strengths, wordAt(tokens, i));
  }
  return strengths.map((strength) => strength * REPLY.around);
}

/** A sentence read word by word: what it says of the question, and what else. */
interface Reading {
  fields: readonly Field[];
  /** What its values say, or all of it when it has no fields. */
  own: Strengths;
  /** … its names and the looks of its values included. */
  said: Strengths;
  /** Words that are news; no more of them are counted than ENOUGH_FRESH a stretch. */
  fresh: number;
  counted: boolean;
  value: boolean;
}

/** The tokens of a text that begin between two places. */
interface Stretch {
  tokens: Tokens;
  from: number;
  to: number;
}

/** What the words of a stretch say beside the terms they are. */
interface Said {
  fresh: number;
  counted: boolean;
}

/** From this many words on nobody asks how many of a sentence's words are news. */
const ENOUGH_FRESH = 2;

/** Marks the terms of the words of a stretch. */
function readStretch(
  { asked, filter, mark, isPlain, isWanted }: Vocabulary,
  { tokens, from, to }: Stretch,
  own: Strengths,
): Said {
  // Aliases need not begin like the words they stand for.
  const all = asked.aliases.size > 0;
  const said = { fresh: 0, counted: false };
  const first = indexAt(tokens.starts, from);
  let figure = -MAX_DISTANCE;
  for (let i = first; i < tokens.starts.length && (tokens.starts[i] ?? to) < to; i += 1) {
    const head = tokens.heads[i] ?? 0;
    const known = (all || mayBe(filter, head)) && mark(own, wordAt(tokens, i));
    if (known) {
      if (i - first - figure < MAX_DISTANCE && isWanted(wordAt(tokens, i))) said.counted = true;
      continue;
    }
    // Most words are not looked up at all: what they are changes nothing any more.
    if (said.fresh < ENOUGH_FRESH && !isPlain(wordAt(tokens, i))) said.fresh += 1;
    if ((head & HAS_DIGIT) !== 0) figure = i - first;
  }
  return said;
}

/** The words that a sentence's own say is in: those of its values, or all when it has no fields. */
function stretchesOf(
  text: string,
  start: number,
  end: number,
  fields: readonly Field[],
): Stretch[] {
  if (fields.length > 0) {
    return fields.map(({ value }) => {
      const bare = value.replace(OWN_NUMBER, '').slice(0, LONGEST_TEXT);
      return { tokens: tokensOf(bare), from: 0, to: bare.length };
    });
  }
  const numbered = OWN_NUMBER.exec(text.slice(start, end))?.[0].length ?? 0;
  return [{ tokens: analyzePassage(text).tokens, from: start + numbered, to: end }];
}

/** The first token at or behind a place. */
function indexAt(starts: Uint16Array, place: number): number {
  let low = 0;
  for (let high = starts.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function read(vocabulary: Vocabulary, text: string, start: number, end: number): Reading {
  const { asked, mark, none } = vocabulary;
  const line = text.slice(start, end);
  const fields = fieldsAt(text, start, end);
  const own = none();
  let fresh = 0;
  let counted = false;
  for (const stretch of stretchesOf(text, start, end, fields)) {
    const heard = readStretch(vocabulary, stretch, own);
    fresh += heard.fresh;
    counted ||= heard.counted;
  }
  const said = own.slice();
  for (const { name } of fields) for (const word of wordsOfName(name)) mark(said, word);
  const shown = asked.values.filter(({ value }) => value.test(line));
  for (const at of shown.flatMap(({ terms }) => terms)) {
    said[at] = Math.max(said[at] ?? 0, REPLY.alias);
  }
  return { fields, own, said, fresh, counted, value: shown.length > 0 };
}

/**
 * What speaks for a sentence as the reply.
 *
 * @param around how strongly each term is said elsewhere in the passage and its file
 * @param terse see {@link terseness}
 */
export function replyFeatures(
  question: Question,
  vocabulary: Vocabulary,
  passage: RankedPassage,
  { start, end, kind, features }: RankedSentence,
  around: Strengths,
  terse: number,
): ReplyFeatures {
  const { asked, share, wantedShare } = vocabulary;
  const reading = read(vocabulary, passage.text, start, end);
  const { fields, own, said, fresh } = reading;
  const label = labelled(vocabulary, fields, features.type);
  const focus = wantedShare((at) => said[at] ?? 0);
  const key = fields.length > 1 ? share((at) => own[at] ?? 0) : 0;
  const line = fields.length > 0 || features.substance < 1 || kind === 'item';
  const usual = line ? (features.type === 0 ? REPLY.ofOtherType : 1) : 0;
  const other = (at: number): number =>
    asked.focus[at] === 1 ? 0 : Math.max(0, (around[at] ?? 0) - (said[at] ?? 0));
  const silent = label === 0 && (fresh === 0 || (fresh === 1 && features.type < 1));
  const isNames =
    isHeading(passage, passage.text.slice(start, end)) || isRowOfNames(passage.text, end, fields);
  return {
    key,
    focus: focus * usual,
    rest: focus > 0 && (fields.length < 2 || key > 0) ? share(other) * usual : 0,
    terse,
    counted: Number(question.type === 'quantity' && reading.counted),
    missing: 1 - share((at) => Math.max(said[at] ?? 0, around[at] ?? 0)),
    label,
    value: Number(reading.value),
    echo: isNames ? 1 : Number(silent && question.type !== 'yesNo') / (fresh + 1),
  };
}

/** How much of what is wanted the best field's name says, when its value says something else. */
function labelled(vocabulary: Vocabulary, fields: readonly Field[], type: number): number {
  const { mark, none, isPlain, wantedShare } = vocabulary;
  let best = 0;
  for (const [i, field] of fields.entries()) {
    const name = none();
    const extra = wordsOfName(field.name).filter((word) => !mark(name, word) && !isPlain(word));
    const named = wantedShare((at) => name[at] ?? 0);
    const value = none();
    const repeats = wordsOf(field.value).words.every(
      (word) => isLetters(word) && mark(value, word),
    );
    if (named === 0 || repeats) continue;
    // The first column says what a row is about, and seldom what is asked of it.
    const column = i === 0 && fields.length > 2 ? REPLY.keyColumn : 1;
    // 'Guest Wi-Fi password' names another thing than 'Wi-Fi password'.
    best = Math.max(best, (named * column) / (1 + REPLY.extraWord * extra.length));
  }
  return type === 0 ? best / 2 : best;
}

/** Words from a figure to what it counts. */
const MAX_DISTANCE = 4;
/** An e-mail address is more than the name in it. */
const isLetters = ({ lower }: Word): boolean => /^[\p{L}\p{M}]+$/u.test(lower);
/** The number that a step of a list, a paragraph or a section has of its own: '2.', '§ 14', 'Section 4.1'. */
export const OWN_NUMBER =
  /^(?:\d{1,3}[.)]|(?:§+|(?:section|article|clause|chapter|part|abschnitt|artikel|kapitel|chapitre)\s)\s*\d{1,4}(?:\.\d{1,3})*[a-z]?[.):]?)\s+/iu;

function isHeading({ headings, fileName }: RankedPassage, text: string): boolean {
  if (/^#{1,6}\s/u.test(text)) return true;
  const plain = plainText(text);
  return [fileName.replace(/\.\p{L}\w{1,4}$/u, ''), ...headings].some(
    (line) => plainText(line) === plain,
  );
}

/** The row that names a table's columns: the next one begins with its first cell's name. */
function isRowOfNames(text: string, end: number, fields: readonly Field[]): boolean {
  const [first] = fields;
  if (first === undefined || fields.length < 2 || fields.some(({ name }) => name !== ''))
    return false;
  const rest = text.slice(end).trimStart();
  return rest.startsWith(`${first.value}: `) || /^\|?\s?:?-{3}/u.test(rest);
}

/** How much of a passage is lines rather than prose: 0 for what has at most a few of them. */
export function terseness(text: string): number {
  const { sentences } = analyzePassage(text);
  const lines = sentences.filter(
    ({ start, end, kind, firstWord, endWord }) =>
      kind !== 'prose' ||
      endWord - firstWord < MATCHING.fullSentence ||
      fieldsAt(text, start, end).length > 0,
  );
  const share = lines.length / Math.max(1, sentences.length);
  return Math.max(0, (share - REPLY.linesInProse) / (1 - REPLY.linesInProse));
}
