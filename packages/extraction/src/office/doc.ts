import { viewOf } from '../bytes.ts';
import type { FormatInput } from '../format.ts';
import { summaryTitle } from './compound-file.ts';
import { signedComment, writeNotesAndComments } from './notes-and-comments.ts';
import { writeRows } from '../text/tables.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';
import { LIST, openWordFile, type Story, type WordFile } from './word/file.ts';
import { wordLists, type WordLists } from './word/lists.ts';
import { type WordStyle, wordStyles } from './word/styles.ts';

/** Longer cells are layout. */
const MAX_CELL_LENGTH = 4000;

/** Paragraph properties ([MS-DOC] 2.6.2). */
const IN_TABLE = 0x2416;
const ENDS_ROW = 0x2417;
const OUTLINE_LEVEL = 0x2640;
const LIST_USE = 0x460b;
const LIST_DEPTH = 0x260a;
/** Longer paragraphs are not headings. */
const MAX_HEADING_LENGTH = 500;

interface Document {
  file: WordFile;
  styleOf: (style: number) => WordStyle;
  lists: WordLists;
  builder: TextBuilder;
}

/** Word documents from before 2007: body, notes, text boxes, headers, footers and comments. */
export function read({ bytes, builder, onProgress }: FormatInput): Extraction {
  const file = openWordFile(bytes);
  onProgress(30);
  const styleOf = wordStyles(file.list(LIST.styles));
  const lists = wordLists(file.fromList(LIST.lists), file.list(LIST.listUses));
  writeBody({ file, styleOf, lists, builder }, noteMarks(file));
  onProgress(70);
  builder.clearHeadings();
  let note = 0;
  for (const story of ['footnotes', 'endnotes'] as const) {
    for (const text of textsOf(file, story)) {
      if (text.startsWith('\x02')) note += 1;
      builder.block('list', text.startsWith('\x02') ? `${note}. ${clean(text)}` : clean(text));
    }
  }
  for (const story of ['boxes', 'headerBoxes'] as const) {
    for (const text of new Set(textsOf(file, story))) builder.block('prose', clean(text));
  }
  writeNotesAndComments({ edges: edgesOf(file), comments: commentsOf(file) }, builder);
  if (!file.complete) {
    builder.note('This document is damaged or incomplete. Engram read what it could.');
  }
  return builder.finish({ title: cleanTitle(summaryTitle(file.container)) });
}

/** Replacements of control characters: line break, tab, non-breaking hyphen. */
const REPLACEMENTS: Record<string, string> = { '\x0b': '\n', '\t': ' ', '\x1e': '-' };
/** Ends of paragraphs, cells and rows, pages and sections. */
const ENDS = new Set(['\r', '\x07', '\x0c']);

function clean(text: string): string {
  return text
    .replace(/\p{Cc}/gu, (character) => REPLACEMENTS[character] ?? '')
    .replaceAll('\u00ad', '')
    .replace(/[ \u00a0]+/g, ' ')
    .trim();
}

const BEGIN = '\x13';
const SEPARATOR = '\x14';
const END = '\x15';

/** Replaces field codes with NUL and preserves their results. Unbalanced marks are ignored. */
function withResults(text: string): string {
  const open: { start: number; separator: number | null }[] = [];
  const codes: { from: number; to: number }[] = [];
  for (const { 0: mark, index } of text.matchAll(/\p{Cc}/gu)) {
    const field = open.at(-1);
    if (mark === BEGIN) open.push({ start: index, separator: null });
    else if (mark === SEPARATOR && field !== undefined) field.separator ??= index;
    else if (mark === END && field !== undefined) {
      open.pop();
      codes.push({ from: field.start, to: (field.separator ?? index) + 1 });
    }
  }
  const parts: string[] = [];
  let position = 0;
  for (const { from, to } of codes.sort((a, b) => a.from - b.from)) {
    if (from < position) continue;
    parts.push(text.slice(position, from), '\0'.repeat(to - from));
    position = to;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

function* paragraphsOf(
  file: WordFile,
  { from, to }: TextRange,
): Generator<{ text: string; mark: string; end: number }> {
  const text = withResults(file.text.slice(from, to));
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/\p{Cc}/gu)) {
    if (!ENDS.has(mark)) continue;
    yield { text: text.slice(start, index), mark, end: from + index };
    start = index + 1;
  }
  if (start < text.length) yield { text: text.slice(start), mark: '\r', end: to - 1 };
}

function textsOf(file: WordFile, story: Story): string[] {
  return [...paragraphsOf(file, file.story(story))]
    .map(({ text }) => text)
    .filter((text) => clean(text) !== '');
}

/** Note numbers by the position of their marks. */
function noteMarks(file: WordFile): Map<number, number> {
  const marks = new Map<number, number>();
  for (const list of [LIST.footnoteMarks, LIST.endnoteMarks]) {
    for (const place of placesOf(file.list(list), 2)) marks.set(place, marks.size + 1);
  }
  return marks;
}

/** The positions in a list, which has one more than entries. */
function placesOf(list: Uint8Array, entryBytes: number): number[] {
  const view = viewOf(list);
  const count = Math.max(0, Math.floor((list.length - 4) / (4 + entryBytes)));
  return Array.from({ length: count }, (_, index) => view.getUint32(index * 4, true));
}

function withMarks(text: string, start: number, marks: ReadonlyMap<number, number>): string {
  if (!text.includes('\x02')) return text;
  return text.replace(/\p{Cc}/gu, (character, offset: number) => {
    const number = character === '\x02' ? marks.get(start + offset) : undefined;
    return number === undefined ? character : `[${number}]`;
  });
}

function writeBody(document: Document, marks: ReadonlyMap<number, number>): void {
  const { file, builder } = document;
  const table = createTable(builder);
  for (const { text, mark, end } of paragraphsOf(file, file.story('body'))) {
    if (builder.full) break;
    const { style, values } = file.paragraphAt(end);
    const line = clean(withMarks(text, end - text.length, marks));
    if (mark === '\x07' || values.get(IN_TABLE) === 1) {
      if (values.get(ENDS_ROW) === 1) table.endRow();
      else table.take(line, mark === '\x07');
      continue;
    }
    table.end();
    writeParagraph(document, line, style, values);
  }
  table.end();
}

function writeParagraph(
  { styleOf, lists, builder }: Document,
  text: string,
  number: number,
  ownValues: ReadonlyMap<number, number>,
): void {
  const style = styleOf(number);
  const value = (property: number): number | undefined =>
    ownValues.get(property) ?? style.values.get(property);
  const outline = value(OUTLINE_LEVEL) ?? 9;
  const level = style.heading > 0 ? style.heading : outline < 9 ? outline + 1 : 0;
  if (text === '') return;
  if (level > 0 && text.length <= MAX_HEADING_LENGTH) {
    builder.heading(level, text.replace(/\s+/gu, ' '));
    return;
  }
  const marker = lists.next(value(LIST_USE) ?? 0, value(LIST_DEPTH) ?? 0);
  if (marker === null) builder.block('prose', text);
  else builder.block('list', marker + text);
}

function createTable(builder: TextBuilder) {
  let rows: string[][][] = [];
  let row: string[][] = [];
  let cell: string[] = [];
  const endRow = (): void => {
    if (cell.length > 0) row.push(cell);
    if (row.length > 0) rows.push(row);
    cell = [];
    row = [];
  };
  return {
    take(text: string, last: boolean): void {
      if (text !== '') cell.push(text);
      if (!last) return;
      row.push(cell);
      cell = [];
    },
    endRow,
    end(): void {
      endRow();
      if (rows.length > 0) writeTable(rows, builder);
      rows = [];
    },
  };
}

/** Layout tables, with one column or long texts, are written as paragraphs. */
function writeTable(rows: readonly string[][][], builder: TextBuilder): void {
  const columns = rows.reduce((max, row) => Math.max(max, row.length), 0);
  const isLong = (cell: string[]): boolean =>
    cell.reduce((sum, line) => sum + line.length, 0) > MAX_CELL_LENGTH;
  if (columns < 2 || rows.some((row) => row.some(isLong))) {
    for (const line of rows.flat(2)) builder.block('prose', line);
    return;
  }
  writeRows(
    rows
      .map((row) => row.map((cell) => cell.join(' ').replace(/\s+/gu, ' ')))
      .filter((row) => row.some((text) => text !== '')),
    builder,
    { strict: columns === 2 },
  );
}

/** Header texts: six for notes, then six for each section ([MS-DOC] 2.8.6). */
const PARTS_FOR_NOTES = 6;
const HEADERS = new Set([0, 1, 4]);

function edgesOf(file: WordFile): string[] {
  const parts = textRanges(file, 'headers', LIST.headers);
  return [true, false].flatMap((isHeader) =>
    parts
      .filter((_, index) => index >= PARTS_FOR_NOTES && HEADERS.has(index % 6) === isHeader)
      .map((part) => linesOf(file, part)),
  );
}

interface TextRange {
  from: number;
  to: number;
}

function textRanges(file: WordFile, story: Story, list: number): TextRange[] {
  const { from } = file.story(story);
  const places = placesOf(file.list(list), 0).map((place) => from + place);
  return places.slice(0, -1).map((start, i) => ({ from: start, to: places[i + 1] ?? start }));
}

const linesOf = (file: WordFile, range: TextRange): string =>
  [...paragraphsOf(file, range)]
    .map(({ text }) => clean(text))
    .filter((line) => line !== '')
    .join('\n');

/** Bytes of a comment's entry. The author's number is at 20. */
const COMMENT_BYTES = 30;

function commentsOf(file: WordFile): string[] {
  const authors = authorsOf(file.list(LIST.commentAuthors));
  const marks = file.list(LIST.commentMarks);
  const count = placesOf(marks, COMMENT_BYTES).length;
  const texts = textRanges(file, 'comments', LIST.commentTexts).slice(0, count);
  return texts.map((range, index) => {
    const place = (count + 1) * 4 + index * COMMENT_BYTES + 20;
    const author = place + 2 > marks.length ? '' : authors[viewOf(marks).getUint16(place, true)];
    return signedComment(author ?? '', linesOf(file, range));
  });
}

function authorsOf(list: Uint8Array): string[] {
  const view = viewOf(list);
  const authors: string[] = [];
  for (let offset = 0; offset + 2 <= list.length;) {
    const end = offset + 2 + 2 * view.getUint16(offset, true);
    authors.push(
      Buffer.from(list.subarray(offset + 2, end))
        .toString('utf16le')
        .trim(),
    );
    offset = end;
  }
  return authors;
}
