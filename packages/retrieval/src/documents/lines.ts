import type { SourceDocument } from '../types.ts';
import { lengthAtStart } from './document-words.ts';

/** A line of a document: `text` is what stands between `start` and `end` in its text. */
export interface Line {
  text: string;
  start: number;
  end: number;
  /** Whether the reader took it for a heading. */
  heading: boolean;
}

/** A document as its facts are read from it. */
export interface Paper {
  /** The file name's words, without its ending. */
  name: string;
  /** Its ending, in small letters. */
  ending: string;
  /** Whether it is all table. */
  isTable: boolean;
  /** What the file's own properties call it. */
  title: string | null;
  text: string;
  /** Its first lines, without the empty ones. */
  head: readonly Line[];
  /** ISO 639-1, the document's own first. */
  languages: readonly string[];
}

/** A line of more characters is more than a label or a name. */
export const SHORT_LINE = 80;
/** Letterhead, addresses, subject and first sentences stand in so many lines and characters. */
const HEAD = { lines: 30, length: 3000 } as const;
/** A longer line is cut: what a paper says of itself stands at the begin of it. */
const LONGEST_LINE = 400;

/** Prepares a document and cuts its beginning into lines. */
export function paperOf(
  { text, segments }: SourceDocument,
  {
    fileName,
    title,
    language,
  }: { fileName: string; title: string | null; language: string | null },
): Paper {
  const ending = /\.(\w{1,5})$/u.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const headings = new Set<number>();
  for (const { kind, start } of segments) {
    if (start > HEAD.length) break;
    if (kind === 'heading') headings.add(start);
  }
  const head = linesOf(text, Math.min(text.length, HEAD.length), headings).slice(0, HEAD.lines);
  return {
    name: wordsOfFileName(fileName),
    ending,
    isTable: /^(?:csv|xlsx?|ods|ics)$/u.test(ending),
    title: title?.replace(/\s+/gu, ' ').trim() || null,
    text,
    head,
    languages: language === null || language === 'en' ? ['en'] : [language, 'en'],
  };
}

/** A mail as text: its head names who wrote it to whom. */
export const isMailHead = ({ head, languages }: Pick<Paper, 'head' | 'languages'>): boolean =>
  (['mailFrom', 'mailTo'] as const).every((name) =>
    head.slice(0, 8).some(({ text }) => {
      const length = lengthAtStart(text, languages, name);
      return length > 0 && /^:\s/u.test(text.slice(length));
    }),
  );

/** 'mail_2024-rates.v2.eml' as 'mail 2024-rates v2': dates stay whole. */
export function wordsOfFileName(fileName: string): string {
  return fileName
    .replace(/\.\w{1,5}$/u, '')
    .replace(/[_.()[\]]+|(?<=\p{L})-(?=[\p{L}\p{N}])|(?<=\p{N})-(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .trim();
}

/** The stretches of a text between signs, without spaces around them; empty ones are left out. */
export function piecesOf(
  text: string,
  from: number,
  to: number,
  between = /\n/gu,
): { text: string; start: number; end: number }[] {
  let next = from;
  return [...text.slice(from, to).matchAll(between), null].flatMap((sign) => {
    const whole = text.slice(next, sign === null ? to : from + sign.index);
    // A tab at the begin of a row stands for an empty cell.
    const start = next + (/^[^\S\t]+/u.exec(whole)?.[0].length ?? 0);
    const piece = text.slice(start, next + whole.length).trimEnd();
    next += whole.length + (sign?.[0].length ?? 0);
    return piece === '' ? [] : [{ text: piece, start, end: start + piece.length }];
  });
}

const linesOf = (text: string, to: number, headings: ReadonlySet<number>): Line[] =>
  piecesOf(text, 0, to).map(({ text: whole, start, end }) => {
    const line = whole.slice(0, LONGEST_LINE).trim();
    const hashes = /^#{1,6}\s+/u.exec(line)?.[0].length ?? 0;
    const isHeading = hashes > 0 || headings.has(start);
    return {
      text: line.slice(hashes),
      start: start + hashes,
      end: Math.min(end, start + LONGEST_LINE),
      heading: isHeading,
    };
  });
