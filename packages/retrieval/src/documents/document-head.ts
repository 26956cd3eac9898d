import type { SourceDocument } from '../types.ts';
import { lengthAtStart } from './document-words.ts';
import { linesIn, wordsOfFileName } from './lines.ts';

export interface HeadLine {
  text: string;
  heading: boolean;
}

export interface DocumentHead {
  name: string;
  extension: string;
  isTable: boolean;
  /** The title in the file's properties. */
  title: string | null;
  lines: readonly HeadLine[];
  /** ISO 639-1, the document's own language first. */
  languages: readonly string[];
}

export const SHORT_LINE = 80;
const HEAD = { lines: 30, length: 3000 } as const;
const LONGEST_LINE = 400;

export interface HeadOptions {
  fileName: string;
  /** The title in the file's properties or its first heading. */
  title: string | null;
  /** ISO 639-1; null for a document without text. */
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
          .slice(0, LONGEST_LINE)
          .trim()
          .replace(/^#{1,6}\s+/u, ''),
        heading: headings.has(line.start) || /^#{1,6}\s/u.test(line.text),
      })),
    languages: languagesWithEnglish(language),
  };
}

/** Whether a document is an e-mail as text: its first lines name sender and recipient. */
export const isMailHead = ({ lines, languages }: DocumentHead): boolean =>
  (['mailFrom', 'mailTo'] as const).every((name) =>
    lines.slice(0, 8).some(({ text }) => {
      const length = lengthAtStart(text, languages, name);
      return length > 0 && /^:\s/u.test(text.slice(length));
    }),
  );
