import type { Span } from '../types.ts';
import { stopWords } from '../text/languages.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { FileKind, UploadWords } from '../languages/language.ts';
import type { DateReference } from './relative.ts';

const KINDS = 'pdf picture spreadsheet presentation recording video archive text'.split(
  ' ',
) as FileKind[];

const patternOf = (field: keyof UploadWords): RegExp =>
  new RegExp(
    alternatives(({ uploads }) => uploads?.[field] && wholeWords(uploads[field])),
    'giu',
  );
const KIND_PATTERNS = KINDS.map((kind) => ({ kind, pattern: patternOf(kind) }));
const FILES = patternOf('files');
const UPLOADED = patternOf('uploaded');
const NEWEST = patternOf('newest');
const LIST = patternOf('list');

const PLAIN = new Set(
  LANGUAGES.filter(({ uploads }) => uploads).flatMap(({ code }) => [...stopWords(code)]),
);

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));

const NEAR = 60;
const distance = (a: Span, b: Span): number => Math.max(a.start, b.start) - Math.min(a.end, b.end);

/**
 * The uploads that a question asks for, or null. It asks for a list when it only has words for files and
 * uploading, `dates` and `folders`.
 */
export function readUploads(
  text: string,
  dates: readonly DateReference[],
  folders: readonly Span[],
) {
  const kindSpans = KIND_PATTERNS.flatMap(({ kind, pattern }) =>
    spansOf(text, pattern).map((span) => ({ ...span, kind })),
  );
  const kindsOf = (spans: typeof kindSpans): FileKind[] => [
    ...new Set(spans.map(({ kind }) => kind)),
  ];
  const files = [...kindSpans, ...spansOf(text, FILES)];
  const verbs = spansOf(text, UPLOADED);
  const newest = spansOf(text, NEWEST);
  const requests = spansOf(text, LIST);
  const spans = [...files, ...verbs, ...newest, ...dates, ...folders];
  if (
    files.length + verbs.length + folders.length > 0 &&
    hasNothingElse(text, [...spans, ...requests])
  ) {
    const last = folders.at(-1);
    const isAsked =
      verbs.length + newest.length + requests.length > 0 ||
      (dates.length > 0 && !/[?؟？]/u.test(text)) ||
      // 'What is in tax/2025?' asks for a list, 'What is tax/2025 about?' does not.
      (last !== undefined && (files.length > 0 || !/[\p{L}\p{N}]/u.test(text.slice(last.end))));
    const list = { newest: newest.length > 0 && dates.length === 0 };
    return isAsked ? { kinds: kindsOf(kindSpans), when: dates, list, spans } : null;
  }
  const verb = verbs.find((verb) => files.some((file) => distance(file, verb) <= NEAR));
  if (verb === undefined) return null;
  const near = <T extends Span>(list: readonly T[], maxDistance: number): T[] =>
    list.filter((item) => distance(item, verb) <= maxDistance);
  const when = near(dates, NEAR / 2)
    .sort((a, b) => distance(a, verb) - distance(b, verb))
    .slice(0, 1);
  return {
    kinds: kindsOf(near(kindSpans, NEAR / 2)),
    when,
    list: null,
    spans: [verb, ...near(files, NEAR), ...when],
  };
}

function hasNothingElse(text: string, spans: readonly Span[]): boolean {
  let remaining = text;
  for (const { start, end } of spans)
    remaining = remaining.slice(0, start) + ' '.repeat(end - start) + remaining.slice(end);
  const words = remaining.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => PLAIN.has(word.toLowerCase()));
}
