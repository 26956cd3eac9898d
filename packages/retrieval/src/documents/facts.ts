import { isListItem, isRow, splitSentences } from '../analysis/sentences.ts';
import type { SourceDocument } from '../types.ts';
import { dayOf } from './day.ts';
import type { DocumentFacts, DocumentKind, Fact } from './document.ts';
import { kindPattern, lengthAtStart, wordPattern } from './document-words.ts';
import { kindNamedIn, kindOf } from './kind.ts';
import { isMailHead, type Paper, paperOf } from './lines.ts';

export interface FactOptions {
  fileName: string;
  /** What the file's own properties or its first heading call it. */
  title: string | null;
  /** ISO 639-1; null for a document without text. */
  language: string | null;
}

/** Characters from the begin in which a document says what it replaces. */
const RELATION_LENGTH = 4000;
const LONGEST_TITLE = 120;
const TITLE_LINES = 14;
const LONGEST_SENTENCE = 500;
const MOST_CODES = 6;

/**
 * What a document says of itself: its kind, its title, the day it is of, its version and what it
 * replaces. Reads a bounded stretch of its begin and of its end.
 */
export function factsOf(document: SourceDocument, options: FactOptions): DocumentFacts {
  const paper = paperOf(document, options);
  const kind = kindOf(paper);
  return {
    kind,
    // What was cut in the middle of a character is no text that a database takes.
    title: titleOf(paper)?.toWellFormed() ?? null,
    date: dayOf(paper),
    version: versionOf(paper),
    codes: codesOf(paper),
    replaces: replacedBy(paper, kind),
  };
}

/** Its own title, its subject, the heading or line that names its kind, or its first heading or line. */
function titleOf(paper: Paper): string | null {
  const { head, name, title, languages } = paper;
  if (title !== null) return title.slice(0, LONGEST_TITLE);
  const short = head
    .slice(0, TITLE_LINES)
    .filter(({ text }) => text.length <= LONGEST_TITLE && !isListItem(text));
  const naming = short.filter(
    ({ text }) => kindNamedIn(text, languages) !== null && !/[.!?]$/u.test(text),
  );
  const subject = short.find(({ text }) => {
    const length = lengthAtStart(text, languages, 'subject');
    return length > 0 && /^\s?:/u.test(text.slice(length));
  });
  const heading = naming.find((line) => line.heading);
  const line = isMailHead(paper)
    ? (subject ?? heading)
    : (heading ?? subject ?? short.find((each) => each.heading) ?? naming[0]);
  const { text = '' } = line ?? short[0] ?? {};
  if (text === '' || isRow(text) || text.startsWith('BEGIN:')) return name || null;
  return subject !== undefined && line === subject
    ? text.slice(text.indexOf(':') + 1).trim()
    : text;
}

const CODE =
  /(?<![\p{L}\p{N}/.,-])(?=[A-Z\d/-]{0,40}\d{3})(?:[A-Z\d]{1,8}(?:[-/][A-Z\d]{1,12}){1,4}|[A-Z]{2,4}\d{4,12})(?![\p{L}\p{N}/]|[.,]\d)/gu;
const DAY = /^(?:\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{4}[-/]\d{2,4})$/u;

/** 'HM-7730912', 'PI/24/55180', in the order of its head. */
function codesOf({ head, title }: Paper): string[] {
  const codes = [title ?? '', ...head.map(({ text }) => text)]
    .flatMap((line) => line.match(CODE) ?? [])
    .filter((code) => !DAY.test(code));
  return [...new Set(codes)].slice(0, MOST_CODES);
}

const NUMBERED = /(?<![\p{L}\p{N}])v\.? ?\d{1,3}(?:[._]\d{1,3}){0,3}(?: ?final)?(?![\p{L}\p{N}])/iu;
/** The year in a name, or the first one of a season as '2024-25'; '2024-03' is a month. */
const YEAR = /(?<![\d-])(?:19|20)\d\d(?!\d|-(?:0\d|1[0-2])(?!\d))/u;

/** 'v2 FINAL', '2024' of 'Edition 2024', '1' of 'Amendment no. 1'; else the year in its name. */
function versionOf({ name, title, head, languages }: Paper): string | null {
  const word = wordPattern(languages, 'version').source;
  const amendment = kindPattern(languages, 'amendment').source;
  const named = new RegExp(
    String.raw`(?:${word}|${amendment})[ :]{1,2}(?:(?:no|nr|n)[.º°]* ?)?(\d{1,4}(?:\.\d{1,3}){0,3})(?![\p{L}\p{N}/])`,
    'iu',
  );
  for (const place of [name, title ?? '', ...head.slice(0, 8).map(({ text }) => text)]) {
    const found = NUMBERED.exec(place)?.[0] ?? named.exec(place)?.[1];
    if (found !== undefined) return found;
  }
  return YEAR.exec(name)?.[0] ?? null;
}

/** The sentence that says what it replaces or amends, or from when on something is otherwise. */
function replacedBy({ text, languages }: Paper, kind: DocumentKind | null): Fact<string> | null {
  const stretch = text.slice(0, RELATION_LENGTH);
  const [relation, change] = [
    wordPattern(languages, 'replaces'),
    wordPattern(languages, 'changes'),
  ];
  const facts = splitSentences(stretch)
    .map(({ start, end }) => ({ value: stretch.slice(start, end), start, end }))
    .filter(
      ({ value }) => value.length <= LONGEST_SENTENCE && /\d/u.test(value) && value.isWellFormed(),
    );
  const amends = (value: string): boolean => {
    const named = kind === 'amendment' ? kindNamedIn(value, languages) : null;
    return relation.test(value) || (named !== null && named !== 'amendment');
  };
  return (
    facts.find(({ value }) => amends(value)) ??
    facts.find(({ value }) => change.test(value)) ??
    null
  );
}
