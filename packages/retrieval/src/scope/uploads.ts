import { stopWords } from '../analysis/languages.ts';
import {
  allWords,
  alternatives,
  anyWord,
  askWords,
  LANGUAGES,
  wholeWords,
} from '../languages/index.ts';
import type { FileKind, UploadWords } from '../languages/language.ts';
import type { DateReference } from './relative.ts';

/** A stretch of a question, as offsets. */
export interface Span {
  start: number;
  end: number;
}

/** What a question says of the uploading of files. */
export interface UploadClause {
  kinds: FileKind[];
  /** The time it names, if any. */
  when: DateReference | null;
  /** The files themselves are asked for, not what they say. */
  list: boolean;
  /** … the newest of them. */
  newest: boolean;
  /** Its words, which say nothing of what the files say. */
  spans: Span[];
}

const source = (field: keyof UploadWords): string =>
  alternatives(({ uploads }) => uploads?.[field] && wholeWords(uploads[field]));
const words = (field: keyof UploadWords): RegExp => new RegExp(source(field), 'giu');

const KINDS = (
  [
    'pdf',
    'picture',
    'spreadsheet',
    'presentation',
    'recording',
    'video',
    'archive',
    'text',
  ] as const
).map((kind): [FileKind, RegExp] => [kind, words(kind)]);
const FILES = words('files');
const UPLOADED = words('uploaded');
const ADDED = words('added');
const PARTICIPLE = words('participle');
const NEWEST = words('newest');
const LIST_CUE = new RegExp(source('list'), 'iu');
const CONTENTS = new RegExp(source('contents'), 'iu');

/** What a question for files may hold beside these: nothing that a file could be asked about. */
const FILLERS = words('fillers');
const SPEAKING = LANGUAGES.filter(({ uploads }) => uploads !== undefined);
const PLAIN = new Set([
  ...SPEAKING.flatMap(({ code }) => [...stopWords(code)]),
  ...askWords(undefined, SPEAKING).split(/[| ]/u),
  ...allWords(
    ({ question, small }) => [question?.requests, question?.auxiliaries, small?.determiners],
    SPEAKING,
  ),
]);
/** A phrase rather than a question: 'files from yesterday'. */
const QUESTION = new RegExp(
  String.raw`${wholeWords(`${askWords()}|${anyWord(({ small }) => small?.copulas)}`)}|[?؟？]`,
  'iu',
);

const spansOf = (text: string, patterns: readonly RegExp[]): Span[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    })),
  );

/** Letters between the kind of file and the word for uploading it: 'the PDF that I uploaded'. */
const NEAR = 60;

/** What a question says of uploads; null when it says nothing. `dates` is what it says of time. */
export function readUploads(text: string, dates: readonly DateReference[]): UploadClause | null {
  const kindSpans = KINDS.flatMap(([kind, pattern]) =>
    spansOf(text, [pattern]).map((span) => ({ ...span, kind })),
  );
  const fileSpans = spansOf(text, [FILES]);
  const sure = spansOf(text, [UPLOADED]);
  const nouns = [...kindSpans, ...fileSpans];
  const participles = spansOf(text, [PARTICIPLE]).filter((span) =>
    nouns.some((noun) => span.start - noun.end === 1),
  );
  const unsure = [...spansOf(text, [ADDED]), ...participles];
  const kinds = [...new Set(kindSpans.map(({ kind }) => kind))];
  const newest = spansOf(text, [NEWEST]);
  const verbs = sure.length > 0 ? sure : unsure;
  const [first = null] = dates;
  const all = [...nouns, ...sure, ...unsure, ...dates, ...newest];
  const anything = nouns.length > 0 || verbs.length > 0;
  if (anything && !CONTENTS.test(text) && isOnlyFillers(blank(text, all))) {
    const when = first;
    const asked =
      LIST_CUE.test(text) || newest.length > 0 || (first !== null && !QUESTION.test(text));
    const wantsNewest = newest.length > 0 && when === null;
    return verbs.length > 0 || asked
      ? { kinds, when, list: true, newest: wantsNewest, spans: all }
      : null;
  }
  const verb = verbs.find(
    (span) => sure.length > 0 || nouns.some((noun) => distance(noun, span) <= NEAR),
  );
  if (verb === undefined) return null;
  const when = nearest(dates, verb);
  const near = nouns.filter((noun) => distance(noun, verb) <= NEAR);
  // 'The log of what we uploaded to the server' names neither a file nor a time.
  if (when === null && near.length === 0) return null;
  if (near.length === 0 && sure.length === 0) return null;
  const spans = [verb, ...near, ...(when === null ? [] : [when])];
  const named = kindSpans.filter((noun) => distance(noun, verb) <= NEAR / 2);
  const own = [...new Set(named.map(({ kind }) => kind))];
  return { kinds: own, when, list: false, newest: false, spans };
}

function distance(a: Span, b: Span): number {
  return Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));
}

function nearest(dates: readonly DateReference[], verb: Span): DateReference | null {
  let best: DateReference | null = null;
  for (const date of dates) {
    if (distance(date, verb) > NEAR / 2) continue;
    if (best === null || distance(date, verb) < distance(best, verb)) best = date;
  }
  return best;
}

/** The text with spaces for some of its stretches. */
function blank(text: string, spans: readonly Span[]): string {
  let result = text;
  for (const { start, end } of spans) {
    result = result.slice(0, start) + ' '.repeat(end - start) + result.slice(end);
  }
  return result;
}

const isOnlyFillers = (rest: string): boolean =>
  (rest.replace(FILLERS, ' ').match(/[\p{L}\p{N}]+/gu) ?? []).every((word) =>
    PLAIN.has(word.toLowerCase()),
  );
