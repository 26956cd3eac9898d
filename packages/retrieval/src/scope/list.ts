import { escapeMarkdown } from '../answer/markdown.ts';
import { countWords } from '../answer/quote.ts';
import { splitSentences } from '../analysis/sentences.ts';
import type { Answer, Citation, Location } from '../types.ts';
import { ANSWER } from '../ranking/weights.ts';

/** A file as an answer lists it. */
export interface ListedFile {
  artifactId: string;
  fileName: string;
  createdAt: Date;
  /** The first stretch of its text with its place: offset in the text; null for a file without text. */
  beginning: { text: string; start: number; location: Location } | null;
}

export interface FileListOptions {
  /** How many files there are in all; the first of them are handed in, in the order of the list. */
  total: number;
  /** Whether the question names a time of upload. */
  timed: boolean;
  timeZone: string;
  /** ISO 639-1, of the question. */
  language: string;
}

interface Wording {
  locale: string;
  none: string;
  noneThen: string;
  heading: (total: number) => string;
  more: (rest: number) => string;
}

const ENGLISH: Wording = {
  locale: 'en-US',
  none: 'You have no such files.',
  noneThen: 'You uploaded no such files in that time.',
  heading: (total) => (total === 1 ? '1 file:' : `${total} files, newest first:`),
  more: (rest) => `and ${rest} more`,
};
const WORDINGS: Readonly<Record<string, Wording>> = {
  de: {
    locale: 'de-DE',
    none: 'Solche Dateien gibt es hier nicht.',
    noneThen: 'In dieser Zeit wurden keine solchen Dateien hochgeladen.',
    heading: (total) => (total === 1 ? '1 Datei:' : `${total} Dateien, die neuesten zuerst:`),
    more: (rest) => `und ${rest} weitere`,
  },
};

/** A list of files. */
interface FileList {
  answer: Answer;
  /** The line of the answer, counted from 0, that names a file, by the file's id. */
  lines: ReadonlyMap<string, number>;
}

/** Files that one answer lists at most. */
export const MOST_LISTED = 20;

/**
 * The answer to a question for files: their names and days of upload, each cited with its first
 * sentence, in at most 120 words. Where there is none it says so and is not grounded.
 */
export function composeFileList(files: readonly ListedFile[], options: FileListOptions): FileList {
  const { total, timed, timeZone, language } = options;
  const wording = WORDINGS[language] ?? ENGLISH;
  if (files.length === 0) {
    const markdown = timed ? wording.noneThen : wording.none;
    return { answer: { markdown, citations: [], grounded: false }, lines: new Map() };
  }
  const format = new Intl.DateTimeFormat(wording.locale, { dateStyle: 'long', timeZone });
  const heading = wording.heading(total);
  const lines = [heading, ''];
  const lineOf = new Map<string, number>();
  const citations: Citation[] = [];
  let words = countWords(heading) + countWords(wording.more(total));
  for (const file of files.slice(0, MOST_LISTED)) {
    const line = `- ${escapeMarkdown(file.fileName)} (${format.format(file.createdAt)})`;
    words += countWords(line) + 1;
    if (words > ANSWER.maxWords && lineOf.size > 0) break;
    lineOf.set(file.artifactId, lines.length);
    const citation = citationOf(file, citations.length + 1);
    lines.push(citation === null ? line : `${line} [${citation.n}]`);
    if (citation !== null) citations.push(citation);
  }
  const rest = total - lineOf.size;
  if (rest > 0) lines.push(`- ${wording.more(rest)}`);
  return { answer: { markdown: lines.join('\n'), citations, grounded: true }, lines: lineOf };
}

/** A file's first sentence as a citation; null for a file without text. */
function citationOf({ artifactId, fileName, beginning }: ListedFile, n: number): Citation | null {
  if (beginning === null) return null;
  const { text, location } = beginning;
  const [sentence] = splitSentences(text);
  if (sentence === undefined) return null;
  const line = text.slice(sentence.start, sentence.end);
  const quote = line.length > ANSWER.maxSentence ? shortened(line) : line;
  const start = beginning.start + sentence.start;
  return { n, artifactId, fileName, location, quote, start, end: start + quote.length };
}

function shortened(line: string): string {
  const head = line
    .slice(0, ANSWER.maxSentence)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  const space = head.search(/\s\S*$/u);
  return space > 0 ? head.slice(0, space) : head;
}
