import { splitSentences } from '../text/sentences.ts';
import type { Answer, Citation } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';

export interface ListedFile {
  artifactId: string;
  fileName: string;
  path: string | null;
  createdAt: Date;
  beginning: { text: string; start: number } | null;
}

export interface FileListOptions {
  total: number;
  timed: boolean;
  timeZone: string;
}

interface FileList {
  answer: Answer;
  /** The line of the answer that names a file, from 0, by the file's ID. */
  lines: ReadonlyMap<string, number>;
}

export const MAX_LISTED = 20;
const MAX_WORDS = 120;
const MAX_QUOTE = 298;
const REST_WORDS = 3;
const NONE = 'You have no such files.';
const NONE_IN_TIME = 'You uploaded no such files in that time.';

const countWords = (text: string): number => text.match(/\S+/gu)?.length ?? 0;

/** Lists files and their first sentences in up to 120 words. Without files it is not grounded. */
export function composeFileList(files: readonly ListedFile[], options: FileListOptions): FileList {
  const { total, timed, timeZone } = options;
  if (files.length === 0) {
    const markdown = timed ? NONE_IN_TIME : NONE;
    return { answer: { markdown, citations: [], grounded: false }, lines: new Map() };
  }
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const sameName = Map.groupBy(files, ({ fileName }) => fileName);
  const listed = files.map((file) => ({
    artifactId: file.artifactId,
    line: `${escapeMarkdown(nameAmong(file, sameName.get(file.fileName)))} (${format.format(file.createdAt)})`,
    citation: file.beginning === null ? null : citationOf(file, file.beginning),
  }));
  const { lines, ...answer } = layOut(listed, total);
  return { answer: { ...answer, grounded: true }, lines };
}

const nameAmong = ({ fileName, path }: ListedFile, others: readonly ListedFile[] = []): string =>
  others.length > 1 ? (path ?? fileName) : fileName;

interface Listed {
  artifactId: string;
  line: string;
  citation: Omit<Citation, 'n'> | null;
}

/** Writes as many files as fit, and counts the others. */
function layOut(
  files: readonly Listed[],
  total: number,
): Omit<Answer, 'grounded'> & { lines: Map<string, number> } {
  const heading = total === 1 ? '1 file:' : `${total} files, newest first:`;
  const markdown = [heading, ''];
  const lines = new Map<string, number>();
  const citations: Citation[] = [];
  let words = countWords(heading) + REST_WORDS;
  for (const { artifactId, line, citation } of files.slice(0, MAX_LISTED)) {
    words += countWords(line) + 2;
    if (words > MAX_WORDS && lines.size > 0) break;
    lines.set(artifactId, markdown.length);
    const n = citations.length + 1;
    markdown.push(citation === null ? `- ${line}` : `- ${line} [${n}]`);
    if (citation !== null) citations.push({ n, ...citation });
  }
  const rest = total - lines.size;
  if (rest > 0) markdown.push(`- and ${rest} more`);
  return { markdown: markdown.join('\n'), citations, lines };
}

function citationOf(
  { artifactId, fileName }: Pick<ListedFile, 'artifactId' | 'fileName'>,
  { text, start: from }: NonNullable<ListedFile['beginning']>,
): Listed['citation'] {
  const [sentence] = splitSentences(text);
  if (sentence === undefined) return null;
  const line = text.slice(sentence.start, sentence.end);
  const quote = line
    .slice(0, MAX_QUOTE)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  const start = from + sentence.start;
  return { artifactId, fileName, quote, start, end: start + quote.length };
}
