import type { SourceDocument } from '../types.ts';
import { linesIn, wordsOfFileName } from './lines.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { DocumentKind, DocumentWords } from '../languages/language.ts';
import { memoize } from '../memoize.ts';

export interface HeadLine {
  text: string;
  heading: boolean;
}

export interface DocumentHead {
  name: string;
  extension: string;
  isTable: boolean;
  title: string | null;
  lines: readonly HeadLine[];
  /** ISO 639-1, the document's language first. */
  languages: readonly string[];
}

export const SHORT_LINE = 80;
const HEAD = { lines: 30, length: 3000 } as const;
const MAX_LINE_LENGTH = 400;

export interface HeadOptions {
  fileName: string;
  /** The title in the file's properties or its first heading. */
  title: string | null;
  /** ISO 639-1, or null without text. */
  language: string | null;
}

export const languagesWithEnglish = (language: string | null): string[] => [
  ...new Set([language ?? 'en', 'en']),
];

export function headOf(
  { text, segments }: SourceDocument,
  { fileName, title, language }: HeadOptions,
): DocumentHead {
  const extension = /\.(\w{1,5})$/u.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const headings = new Set(
    segments.flatMap(({ kind, start }) => (kind === 'heading' ? [start] : [])),
  );
  return {
    name: wordsOfFileName(fileName),
    extension,
    isTable: /^(?:csv|xlsx?|ods|ics)$/u.test(extension),
    title: title?.replace(/\s+/gu, ' ').trim() || null,
    lines: linesIn(text, 0, HEAD.length)
      .slice(0, HEAD.lines)
      .map((line) => ({
        text: line.text
          .slice(0, MAX_LINE_LENGTH)
          .trim()
          .replace(/^#{1,6}\s+/u, ''),
        heading: headings.has(line.start) || /^#{1,6}\s/u.test(line.text),
      })),
    languages: languagesWithEnglish(language),
  };
}

/** Whether the first lines name sender and recipient of an e-mail. */
export const isMailHead = ({ lines, languages }: DocumentHead): boolean =>
  (['mailFrom', 'mailTo'] as const).every((name) =>
    lines.slice(0, 8).some(({ text }) => {
      const length = lengthAtStart(text, languages, name);
      return length > 0 && /^:\s/u.test(text.slice(length));
    }),
  );

type WordField = Exclude<keyof DocumentWords, 'kinds'>;

/** Patterns by a name and languages (ISO 639-1), separated by spaces. */
const patternsOf = (wordsOf: (words: DocumentWords, name: string) => string | undefined) =>
  memoize((key: string) => {
    const [name = '', ...languages] = key.split(' ');
    const packs = LANGUAGES.filter(({ code }) => code === 'en' || languages.includes(code));
    const source = alternatives(({ documents }) => documents && wordsOf(documents, name), packs);
    return new RegExp(wholeWords(source), 'iu');
  }, 1000);

const wordPatterns = patternsOf((words, name) => words[name as WordField]);
const kindPatterns = patternsOf((words, kind) => words.kinds[kind as DocumentKind]);

export const wordPattern = (languages: readonly string[], name: WordField): RegExp =>
  wordPatterns([name, ...languages].join(' '));

export const kindPattern = (languages: readonly string[], kind: DocumentKind): RegExp =>
  kindPatterns([kind, ...languages].join(' '));

/** The length of a field's word at the start of a text, or 0. */
export function lengthAtStart(text: string, languages: readonly string[], name: WordField): number {
  const match = wordPattern(languages, name).exec(text.slice(0, 80));
  return match?.index === 0 ? match[0].length : 0;
}
