import { isListItem, isRow, splitSentences } from '../analysis/sentences.ts';
import type { SourceDocument } from '../types.ts';
import { dayOf } from './day.ts';
import type { DocumentFacts, DocumentKind, Fact } from './document.ts';
import { isMailHead, kindNamedIn, kindOf, kindsNamedIn } from './kind.ts';
import { paperOf } from './lines.ts';
import type { Paper } from './lines.ts';
import { partiesOf } from './parties.ts';
import { wordPattern } from './words/paper-words.ts';

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
const LONGEST_SENTENCE = 500;

/**
 * What a document says of itself: its kind, its title, the day it is of, who is named in it, its
 * version and what it replaces. Reads a bounded stretch of its begin and of its end.
 */
export function factsOf(document: SourceDocument, options: FactOptions): DocumentFacts {
  const paper = paperOf(document, options);
  const kind = kindOf(paper);
  return {
    kind,
    // What was cut in the middle of a character is no text that a database takes.
    title: titleOf(paper)?.toWellFormed() ?? null,
    date: dayOf(paper, kind),
    parties: partiesOf(paper),
    version: versionOf(paper),
    codes: codesOf(paper),
    replaces: replacedBy(paper, kind),
  };
}

/** Its own title, the line that names its kind, its subject, or its first heading. */
function titleOf(paper: Paper): string | null {
  const { head, name, title, languages } = paper;
  if (title !== null) return title.slice(0, LONGEST_TITLE);
  const subject = wordPattern(languages, 'subject');
  const labelled = head.slice(0, 14).find(({ text }) => {
    const match = subject.exec(text);
    return match?.index === 0 && /^\s?:/u.test(text.slice(match[0].length));
  });
  if (labelled !== undefined && isMailHead(paper)) return afterColon(labelled.text);
  const short = head
    .slice(0, 14)
    .filter(({ text }) => text.length <= LONGEST_TITLE && !isListItem(text));
  const naming = (onlyHeadings: boolean) =>
    short.find(({ text, heading }) => {
      const named = heading || !onlyHeadings ? kindNamedIn(text, languages) : null;
      return named !== null && !/[.!?]$/u.test(text);
    });
  const found = naming(true) ?? labelled ?? short.find(({ heading }) => heading) ?? naming(false);
  const line = found ?? short[0];
  if (line === undefined || isRow(line.text) || line.text.startsWith('BEGIN:')) return name || null;
  return line === labelled ? afterColon(line.text) : line.text;
}

const afterColon = (text: string): string => text.slice(text.indexOf(':') + 1).trim();

const CODE =
  /(?<![\p{L}\p{N}/.,-])(?=[A-Z\d/-]{0,40}\d{3})(?:[A-Z\d]{1,8}(?:[-/][A-Z\d]{1,12}){1,4}|[A-Z]{2,4}\d{4,12})(?![\p{L}\p{N}/]|[.,]\d)/gu;
const DAY = /^(?:\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\d{4}[-/]\d{2,4})$/u;
const MOST_CODES = 6;

/** 'HM-7730912', 'PI/24/55180', in the order of its head. */
function codesOf({ head, title }: Paper): string[] {
  const codes = [title ?? '', ...head.map(({ text }) => text)]
    .flatMap((line) => line.match(CODE) ?? [])
    .filter((code) => !DAY.test(code));
  return [...new Set(codes)].slice(0, MOST_CODES);
}

const NUMBERED =
  /(?<![\p{L}\p{N}])(v\.? ?\d{1,3}(?:[._]\d{1,3}){0,3}(?: ?(?:final|draft|rc\d?))?)(?![\p{L}\p{N}])/iu;
const ORDINAL =
  /(?<![\p{L}\p{N}])((?:\d{1,2}(?:st|nd|rd|th|\.|ª|º|e|ème)|first|second|third|fourth|fifth|zweite|dritte|deuxième|troisième|segunda|terceira|tercera|seconda|tweede|derde)(?: and final| revised)? (?:edition|version|auflage|fassung|édition|edición|edição|edizione|uitgave|versie|draft|revision))(?![\p{L}\p{N}])/iu;

/** 'v2 FINAL', 'Edition 2024', 'rev C', 'no. 1'; else the year in its name, by which versions differ. */
function versionOf({ name, title, head, ending, languages }: Paper): string | null {
  if (ending === 'ics' || ending === 'vcf') return null;
  const places = [name, title ?? '', ...head.slice(0, 8).map(({ text }) => text)];
  const word = wordPattern(languages, 'version').source;
  const named = new RegExp(
    String.raw`${word}[ :]{1,2}(?:no\.? ?)?((?:\d{1,4}(?:\.\d{1,3}){0,3}|[A-Z])(?: ?(?:final|draft))?)(?![\p{L}\p{N}])`,
    'iu',
  );
  for (const place of places) {
    const numbered = NUMBERED.exec(place)?.[1] ?? ORDINAL.exec(place)?.[1];
    if (numbered !== undefined) return numbered;
    const match = named.exec(place)?.[0];
    if (match !== undefined && /\d|[A-Z]$/u.test(match)) return match;
  }
  for (const place of places) {
    const amendment = kindNamedIn(place, languages);
    if (amendment?.kind !== 'amendment') continue;
    const rest = place.slice(amendment.index + amendment.length);
    const number = /^ (?:(?:no|nr|n)[.º°]* ?)?(\d{1,3}|[A-Z])(?![\p{L}\p{N}/])/u.exec(rest)?.[1];
    if (number !== undefined) return number;
  }
  if (/(?<!\p{L})final(?!\p{L})/iu.test(name)) return 'final';
  if (/(?<!\p{L})(?:draft|entwurf|brouillon|rascunho|bozza)(?!\p{L})/iu.test(name)) return 'draft';
  const years = /(?<![\d-])((?:19|20)\d\d)(?:[-–/]((?:19|20)?\d\d))?(?![\d-])/u.exec(name);
  const [all = null, first = '', second] = years ?? [];
  // '2024-25' is a season, '2024-03' a month.
  const isSeason = second === undefined || Number(second) % 100 === (Number(first) + 1) % 100;
  return isSeason ? all : null;
}

/** The sentence that says what it replaces or amends, or from when on something is otherwise. */
function replacedBy({ text, languages }: Paper, kind: DocumentKind | null): Fact<string> | null {
  if (kind !== null && UNCHANGING.has(kind)) return null;
  const stretch = text.slice(0, RELATION_LENGTH);
  const relation = wordPattern(languages, 'replaces');
  const change = wordPattern(languages, 'changes');
  const from = wordPattern(languages, 'from');
  let changed: Fact<string> | null = null;
  for (const { start, end } of splitSentences(stretch)) {
    if (end - start > LONGEST_SENTENCE) continue;
    const value = stretch.slice(start, end);
    if (!value.isWellFormed()) continue;
    const fact = { value, start, end };
    if (relation.test(value) && (kind === 'amendment' || refersBack(value, languages))) return fact;
    if (kind === 'amendment' && namesAmended(value, languages)) return fact;
    // A day or an amount says what is otherwise; 'now' alone may be about anything.
    const hard =
      /\d/u.test(value) && (change.test(value) || (kind === 'amendment' && from.test(value)));
    if (hard) changed ??= fact;
  }
  return changed;
}

/** Kinds that tell of changes, and make none. */
const UNCHANGING: ReadonlySet<DocumentKind> = new Set([
  'calendar',
  'journal',
  'list',
  'manual',
  'recipe',
  'report',
  'talk',
]);

/** 'to the lease of 1 May 2021': below its own name an amendment says of what. */
function namesAmended(sentence: string, languages: readonly string[]): boolean {
  const kinds = kindsNamedIn(sentence, languages);
  return /\d{2}/u.test(sentence) && kinds.some((kind) => AMENDED.has(kind));
}

const AMENDED: ReadonlySet<DocumentKind> = new Set(['contract', 'offer', 'policy', 'rules']);

/** Names the other paper by a day or a number, or as one's own: 'replaces my proposal of 27 February'. */
function refersBack(sentence: string, languages: readonly string[]): boolean {
  if (/\d{2}/u.test(sentence)) return true;
  const named = kindNamedIn(sentence, languages);
  return named !== null && named.mentioned;
}
