import { isListItem, isRow } from '../text/sentences.ts';
import type { SourceDocument } from '../types.ts';
import { dayOf } from './day.ts';
import type { DocumentFacts } from './document.ts';
import {
  type DocumentHead,
  headOf,
  type HeadOptions,
  isMailHead,
  kindPattern,
  lengthAtStart,
  SHORT_LINE,
  wordPattern,
} from './document-head.ts';
import { type DocumentKind, KINDS } from '../languages/language.ts';

const MAX_TITLE_LENGTH = 120;
const TITLE_LINES = 14;
const VERSION_LINES = 8;
const MAX_CODES = 6;

export function factsOf(document: SourceDocument, options: HeadOptions): DocumentFacts {
  const head = headOf(document, options);
  return {
    kind: kindOf(head),
    // A title cut within a surrogate pair cannot be stored.
    title: titleOf(head)?.toWellFormed() ?? null,
    date: dayOf(head),
    version: versionOf(head),
    codes: codesOf(head),
  };
}

/** The title property, the subject, the heading or line that names the kind, or the first heading or line. */
function titleOf(head: DocumentHead): string | null {
  const { lines, name, title, languages } = head;
  if (title !== null) return title.slice(0, MAX_TITLE_LENGTH);
  const short = lines
    .slice(0, TITLE_LINES)
    .filter(({ text }) => text.length <= MAX_TITLE_LENGTH && !isListItem(text));
  const naming = short.filter(
    ({ text }) => kindNamedIn(text, languages) !== null && !/[.!?]$/u.test(text),
  );
  const subject = short.find(({ text }) => {
    const length = lengthAtStart(text, languages, 'subject');
    return length > 0 && /^\s?:/u.test(text.slice(length));
  });
  const heading = naming.find((line) => line.heading);
  const line = isMailHead(head)
    ? (subject ?? heading)
    : (heading ?? subject ?? short.find((entry) => entry.heading) ?? naming[0]);
  const { text = '' } = line ?? short[0] ?? {};
  if (text === '' || isRow(text) || text.startsWith('BEGIN:')) return name || null;
  return line !== undefined && line === subject ? text.slice(text.indexOf(':') + 1).trim() : text;
}

const CODE =
  /(?<![\p{L}\p{N}/.,-])(?=[A-Z\d/-]{0,40}\d{3})(?:[A-Z\d]{1,8}(?:[-/][A-Z\d]{1,12}){1,4}|[A-Z]{2,4}\d{4,12})(?![\p{L}\p{N}/]|[.,]\d)/gu;
const DAY = /^(?:\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{4}[-/]\d{2,4})$/u;

function codesOf({ lines, title }: DocumentHead): string[] {
  const codes = [title ?? '', ...lines.map(({ text }) => text)]
    .flatMap((line) => line.match(CODE) ?? [])
    .filter((code) => !DAY.test(code));
  return [...new Set(codes)].slice(0, MAX_CODES);
}

const NUMBERED = /(?<![\p{L}\p{N}])v\.? ?\d{1,3}(?:[._]\d{1,3}){0,3}(?: ?final)?(?![\p{L}\p{N}])/iu;
/** The year in a name, or the first year of a season such as '2024-25'. '2024-03' is a month. */
const YEAR = /(?<![\d-])(?:19|20)\d\d(?!\d|-(?:0\d|1[0-2])(?!\d))/u;

/** 'v2 FINAL', '2024' of 'Edition 2024', '1' of 'Amendment no. 1', or the year in the file name. */
function versionOf({ name, title, lines, languages }: DocumentHead): string | null {
  const word = wordPattern(languages, 'version').source;
  const amendment = kindPattern(languages, 'amendment').source;
  const named = new RegExp(
    String.raw`(?:${word}|${amendment})[ :]{1,2}(?:(?:no|nr|n)[.º°]* ?)?(\d{1,4}(?:\.\d{1,3}){0,3})(?![\p{L}\p{N}/])`,
    'iu',
  );
  for (const place of [
    name,
    title ?? '',
    ...lines.slice(0, VERSION_LINES).map(({ text }) => text),
  ]) {
    const version = NUMBERED.exec(place)?.[0] ?? named.exec(place)?.[1];
    if (version !== undefined) return version;
  }
  return YEAR.exec(name)?.[0] ?? null;
}

const WEIGHT = {
  title: 4,
  fileName: 3,
  heading: 3,
  opening: 2.5,
  line: 0.8,
  salutation: 2.2,
} as const;
const MIN_WEIGHT = 2;

const OPENING_LINES = 4;
const NAMING_LINES = 14;
const BALANCE_LINES = 5;

const BY_EXTENSION: Readonly<Record<string, DocumentKind>> = {
  eml: 'mail',
  mbox: 'mail',
  msg: 'mail',
  ics: 'calendar',
  pptx: 'talk',
  ppt: 'talk',
  odp: 'talk',
};

export function kindOf(head: DocumentHead): DocumentKind | null {
  const { lines, name, title, languages, isTable } = head;
  const definite = isMailHead(head) ? 'mail' : BY_EXTENSION[head.extension];
  if (definite !== undefined) return definite;
  const weights = new Map<DocumentKind, number>();
  const add = (kind: DocumentKind | null, weight: number): void => {
    if (kind !== null) weights.set(kind, (weights.get(kind) ?? 0) + weight);
  };
  add(kindNamedIn(name, languages), WEIGHT.fileName);
  add(kindNamedIn(title ?? '', languages), WEIGHT.title);
  for (const [index, { text, heading }] of lines.slice(0, NAMING_LINES).entries()) {
    if (text.length > SHORT_LINE || isListItem(text)) continue;
    const weight = heading ? WEIGHT.heading : index < OPENING_LINES ? WEIGHT.opening : WEIGHT.line;
    add(kindNamedIn(text, languages), weight / (1 + index / 10));
  }
  if (lines.some(({ text }) => lengthAtStart(text, languages, 'salutation') > 0))
    add('letter', WEIGHT.salutation);
  const balance = wordPattern(languages, 'balance');
  if (isTable && lines.slice(0, BALANCE_LINES).some(({ text }) => balance.test(text)))
    add('statement', WEIGHT.title);
  if (isTable) add('list', MIN_WEIGHT);
  const [best] = [...weights].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= MIN_WEIGHT ? best[0] : null;
}

function kindNamedIn(line: string, languages: readonly string[]): DocumentKind | null {
  const matches = KINDS.flatMap((kind) => {
    const match = kindPattern(languages, kind).exec(line);
    return match === null ? [] : [{ kind, index: match.index, length: match[0].length }];
  });
  // 'User guide' is better than 'guide', but an 'insurance endorsement' is an amendment.
  const amends = ({ kind }: { kind: DocumentKind }): number => Number(kind === 'amendment');
  const [best] = matches.sort(
    (a, b) => amends(b) - amends(a) || a.index - b.index || b.length - a.length,
  );
  return best?.kind ?? null;
}
