import { stopWords } from '../analysis/languages.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
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

const KINDS = 'pdf picture spreadsheet presentation recording video archive text'.split(
  ' ',
) as FileKind[];
/** What is looked for in a question, by its field in the packs. */
const PATTERNS: ReadonlyMap<string, RegExp> = new Map(
  (
    [...KINDS, 'files', 'uploaded', 'added', 'participle', 'newest', 'list', 'fillers'] as const
  ).map((field) => [field, new RegExp(source(field), 'giu')]),
);
const LIST_CUE = new RegExp(source('list'), 'iu');
const CONTENTS = new RegExp(source('contents'), 'iu');

/** Words that say nothing of their own. */
const PLAIN = new Set(
  LANGUAGES.filter(({ uploads }) => uploads !== undefined).flatMap(({ code }) => [
    ...stopWords(code),
  ]),
);

function spansOf(text: string, field: keyof UploadWords): Span[] {
  const matches = text.matchAll(PATTERNS.get(field) ?? /(?!)/gu);
  return [...matches].map(({ 0: said, index }) => ({ start: index, end: index + said.length }));
}

/** Letters between the kind of file and the word for uploading it: 'the PDF that I uploaded'. */
const NEAR = 60;

/** What a question says of uploads; null when it says nothing. `dates` is what it says of time. */
export function readUploads(text: string, dates: readonly DateReference[]): UploadClause | null {
  const kindSpans = KINDS.flatMap((kind) => spansOf(text, kind).map((span) => ({ ...span, kind })));
  const kindsOf = (spans: typeof kindSpans): FileKind[] => [
    ...new Set(spans.map(({ kind }) => kind)),
  ];
  const nouns = [...kindSpans, ...spansOf(text, 'files')];
  const sure = spansOf(text, 'uploaded');
  const participles = spansOf(text, 'participle').filter((span) =>
    nouns.some((noun) => span.start - noun.end === 1),
  );
  const verbs = sure.length > 0 ? sure : [...spansOf(text, 'added'), ...participles];
  const newest = spansOf(text, 'newest');
  const all = [...nouns, ...verbs, ...dates, ...newest];
  if (nouns.length + verbs.length > 0 && !CONTENTS.test(text) && isOnlyFillers(text, all)) {
    const [when = null] = dates;
    const asked =
      LIST_CUE.test(text) || newest.length > 0 || (when !== null && !/[?؟？]/u.test(text));
    if (verbs.length === 0 && !asked) return null;
    const wantsNewest = newest.length > 0 && when === null;
    return { kinds: kindsOf(kindSpans), when, list: true, newest: wantsNewest, spans: all };
  }
  const isNear = (noun: Span, verb: Span): boolean => distance(noun, verb) <= NEAR;
  const verb = verbs.find((span) => sure.length > 0 || nouns.some((noun) => isNear(noun, span)));
  if (verb === undefined) return null;
  const [when = null] = dates
    .filter((date) => distance(date, verb) <= NEAR / 2)
    .toSorted((a, b) => distance(a, verb) - distance(b, verb));
  const near = nouns.filter((noun) => isNear(noun, verb));
  // 'The log of what we uploaded to the server' names neither a file nor a time.
  if (near.length === 0 && (when === null || sure.length === 0)) return null;
  const spans = [verb, ...near, ...(when === null ? [] : [when])];
  const kinds = kindsOf(kindSpans.filter((noun) => distance(noun, verb) <= NEAR / 2));
  return { kinds, when, list: false, newest: false, spans };
}

/**
 * The kinds of files that a question for what stands in some folders wants, none meaning all; null where
 * it asks for anything beside.
 */
export function readFolderList(text: string, folders: readonly Span[]): FileKind[] | null {
  const rest = without(text, folders);
  if (folders.length === 0 || CONTENTS.test(rest)) return null;
  const kindSpans = KINDS.flatMap((kind) => spansOf(rest, kind).map((span) => ({ ...span, kind })));
  const nouns = [...kindSpans, ...spansOf(rest, 'files')];
  if (!isOnlyFillers(rest, nouns)) return null;
  // 'What is in tax/2025?', but not 'What is tax/2025 about?'
  const endsWithFolder = !/[\p{L}\p{N}]/u.test(text.slice(folders.at(-1)?.end));
  const isAsked = nouns.length > 0 || LIST_CUE.test(rest) || endsWithFolder;
  return isAsked ? [...new Set(kindSpans.map(({ kind }) => kind))] : null;
}

const distance = (a: Span, b: Span): number =>
  Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));

/** A text with some of its stretches left blank. */
function without(text: string, spans: readonly Span[]): string {
  let rest = text;
  for (const { start, end } of spans) {
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }
  return rest;
}

/** Whether a text says nothing beside some of its stretches. */
function isOnlyFillers(text: string, spans: readonly Span[]): boolean {
  const rest = without(text, [...spans, ...spansOf(text, 'list'), ...spansOf(text, 'fillers')]);
  const words = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => PLAIN.has(word.toLowerCase()));
}
