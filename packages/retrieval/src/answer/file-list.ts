import { splitSentences } from '../analysis/sentences.ts';
import { wordsOf } from '../analysis/words.ts';
import type { LibraryFile } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import { sayIn } from '../documents/words/paper-words.ts';
import { type ListAsked, readListAsked } from './list-asked.ts';
import type { QuestionDate } from '../question/scope.ts';
import { createVocabulary } from '../ranking/vocabulary.ts';
import { ANSWER } from '../ranking/weights.ts';
import type { Answer, Citation } from '../types.ts';
import { escapeMarkdown } from './markdown.ts';
import type { Answerer, Material } from './material.ts';
import { countWords } from './quote.ts';
import { dayInFull, localeOf } from './row-layout.ts';

/** A file as an answer lists it. */
export interface ListedFile {
  artifactId: string;
  fileName: string;
  /** Where it stands in the folder that it came from; null where it came from none. */
  path: string | null;
  createdAt: Date;
  /** The first stretch of its text, with its offset there; null for a file without text. */
  beginning: { text: string; start: number } | null;
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

/** A list of files. */
interface FileList {
  answer: Answer;
  /** The line of the answer, counted from 0, that names a file, by the file's id. */
  lines: ReadonlyMap<string, number>;
}

/** Files that one answer lists at most. */
export const MOST_LISTED = 20;
/** Words of a list that was asked for by what its files say. */
const MOST_WORDS = 380;

/**
 * The answer to a question for files: their names and days of upload, each cited with its first
 * sentence, in at most 120 words. Where there is none it says so and is not grounded.
 */
export function composeFileList(files: readonly ListedFile[], options: FileListOptions): FileList {
  const { total, timed, timeZone, language } = options;
  const say = sayIn(language);
  if (files.length === 0) {
    const markdown = timed ? say.noneThen : say.none;
    return { answer: { markdown, citations: [], grounded: false }, lines: new Map() };
  }
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone });
  const sameName = Map.groupBy(files, ({ fileName }) => fileName);
  const listed = files.map((file) => ({
    artifactId: file.artifactId,
    line: `${escapeMarkdown(nameAmong(file, sameName.get(file.fileName)))} (${format.format(file.createdAt)})`,
    citation: file.beginning === null ? null : citationOf(file, file.beginning),
  }));
  const { lines, ...answer } = layOut(listed, { total, language, room: ANSWER.maxWords });
  return { answer: { ...answer, grounded: true }, lines };
}

/** A file's name, or its path where others have the same name. */
const nameAmong = ({ fileName, path }: ListedFile, alike: readonly ListedFile[] = []): string =>
  alike.length > 1 ? (path ?? fileName) : fileName;

interface Listed {
  artifactId: string;
  line: string;
  citation: Omit<Citation, 'n'> | null;
}

/** Files below their number, as many as there is room for; further ones are counted. */
function layOut(
  files: readonly Listed[],
  { total, language, room }: { total: number; language: string; room: number },
): Omit<Answer, 'grounded'> & { lines: Map<string, number> } {
  const say = sayIn(language);
  const counted = (text: string, count: number): string => text.replace('{}', String(count));
  const heading = `${total === 1 ? say.oneFile : counted(say.newest, total)}:`;
  const markdown = [heading, ''];
  const lines = new Map<string, number>();
  const citations: Citation[] = [];
  let words = countWords(heading) + countWords(say.more);
  for (const { artifactId, line, citation } of files.slice(0, MOST_LISTED)) {
    words += countWords(line) + 2;
    if (words > room && lines.size > 0) break;
    lines.set(artifactId, markdown.length);
    const n = citations.length + 1;
    markdown.push(citation === null ? `- ${line}` : `- ${line} [${n}]`);
    if (citation !== null) citations.push({ n, ...citation });
  }
  const rest = total - lines.size;
  if (rest > 0) markdown.push(`- ${counted(say.more, rest)}`);
  return { markdown: markdown.join('\n'), citations, lines };
}

/** A file's first sentence as a citation; null for a file without text. */
function citationOf(
  { artifactId, fileName }: Pick<ListedFile, 'artifactId' | 'fileName'>,
  { text, start: from }: NonNullable<ListedFile['beginning']>,
): Listed['citation'] {
  const [sentence] = splitSentences(text);
  if (sentence === undefined) return null;
  const line = text.slice(sentence.start, sentence.end);
  const quote = line
    .slice(0, ANSWER.maxSentence)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  const start = from + sentence.start;
  return { artifactId, fileName, quote, start, end: start + quote.length };
}

/** What a file's own beginning may say of what it is about, in UTF-16 units. */
const HEAD = 900;
/** How plainly a term must be said. */
const SAID = 0.7;
/** Files that a word in their titles alone makes one kind. */
const FEWEST_BY_NAME = 2;
const SURE = { byKind: 0.9, byName: 0.7 } as const;

/**
 * Every file that is of the kind asked for and says all that the question says of it, with its day,
 * newest first. Null where there is none, or where something is left unsaid.
 */
export const answerFileList: Answerer = (material) => {
  const asked = readListAsked(material.question);
  if (asked === null) return null;
  const found = filesAsked(material, asked);
  const byKind = asked.kind !== null || asked.anyPaper;
  if (found.length < (byKind ? 1 : FEWEST_BY_NAME)) return null;
  const { language } = material.question;
  const listed = found.map((file): Listed => {
    const { artifactId, fileName, title, date } = file;
    const name = title === null || title === fileName ? '' : `**${escapeMarkdown(title)}**, `;
    const day = date === null ? '' : ` – ${dayInFull(date.value, language)}`;
    const beginning = beginningOf(material, file);
    const citation = beginning && citationOf(file, beginning);
    return { artifactId, line: `${name}${escapeMarkdown(fileName)}${day}`, citation };
  });
  const options = { total: found.length, language, room: MOST_WORDS };
  const { markdown, citations } = layOut(listed, options);
  return { markdown, citations, confidence: byKind ? SURE.byKind : SURE.byName };
};

/** The files that are meant, newest first. */
function filesAsked(
  { question, ranked, files, documents }: Material,
  { kind, anyPaper, noun, about }: ListAsked,
): LibraryFile[] {
  if (anyPaper && about.length === 0) return [];
  const { mark, none } = createVocabulary(question);
  const saysAll = (lines: readonly string[], terms: readonly number[]): boolean => {
    const said = none();
    for (const line of lines) for (const word of wordsOf(line).words) mark(said, word);
    return terms.every((at) => (said[at] ?? 0) >= SAID);
  };
  const named = new Set(question.files.named);
  const found = files.filter((file) => {
    if (named.size > 0 && !named.has(file.artifactId)) return false;
    if (kind !== null && file.kind !== kind) return false;
    if (!question.dates.every((date) => isWithin(file, date))) return false;
    const names = [wordsOfFileName(file.fileName), file.title ?? '', ...file.codes];
    const around = [...names, ...file.parties.map(({ value }) => value)];
    if (kind === null && !anyPaper) return saysAll(names, noun) && saysAll(around, about);
    const head =
      documents.get(file.artifactId)?.text ??
      ranked.find(({ artifactId, ordinal }) => artifactId === file.artifactId && ordinal === 0)
        ?.text;
    return saysAll([...around, head?.slice(0, HEAD) ?? ''], about);
  });
  return found.sort((a, b) => (b.date?.value ?? '').localeCompare(a.date?.value ?? ''));
}

/** Whether the day a file is of is one of those asked for. */
function isWithin({ date }: LibraryFile, { range: { from, to, openYear } }: QuestionDate): boolean {
  if (date === null) return false;
  const day = Number(date.value.replaceAll('-', ''));
  // Without a year the days of any one are meant.
  const years = openYear ? Math.floor(day / 10_000) - Math.floor(from / 10_000) : 0;
  return [years, years - 1].some(
    (back) => day >= from + back * 10_000 && day <= to + back * 10_000 && (openYear || back === 0),
  );
}

/** Where a file's text begins, as far as it was read. */
function beginningOf(
  { documents, ranked }: Material,
  { artifactId }: LibraryFile,
): ListedFile['beginning'] {
  const document = documents.get(artifactId);
  const first = document?.segments.find(({ start, end }) => end - start > 2);
  if (document !== undefined && first !== undefined) {
    const { start, end } = first;
    return { text: document.text.slice(start, end), start };
  }
  const passages = ranked.filter((passage) => passage.artifactId === artifactId);
  const passage = passages.toSorted((a, b) => a.start - b.start)[0];
  return passage ?? null;
}
