import type { Span } from '../types.ts';

export interface Line extends Span {
  text: string;
}

/** The lines of a text, trimmed and without empty ones. */
export function linesIn(text: string, from = 0, to = text.length): Line[] {
  let next = from;
  return text
    .slice(from, to)
    .split('\n')
    .flatMap((raw) => {
      // A leading tab is an empty cell.
      const start = next + (/^[^\S\t]+/u.exec(raw)?.[0].length ?? 0);
      const line = text.slice(start, next + raw.length).trimEnd();
      next += raw.length + 1;
      return line === '' ? [] : [{ text: line, start, end: start + line.length }];
    });
}

/** Splits a file name into words: 'mail_2024-rates.v2.eml' becomes 'mail 2024-rates v2'. */
export function wordsOfFileName(fileName: string): string {
  return fileName
    .replace(/\.\w{1,5}$/u, '')
    .replace(/[_.()[\]]+|(?<=\p{L})-(?=[\p{L}\p{N}])|(?<=\p{N})-(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .trim();
}
