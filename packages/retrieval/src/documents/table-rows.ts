import type { SourceDocument, SourceSegment } from '../types.ts';
import { linesIn } from './lines.ts';

/** A row as its document has it. */
export interface RawRow {
  cells: string[];
  start: number;
  end: number;
}

/** A table as its document has it; names are '' where nothing names a column. */
export interface RawTable {
  name: string;
  names: string[];
  rows: RawRow[];
}

const MOST_COLUMNS = 60;
const LONGEST_CELL = 300;
const LONGEST_NAME = 120;

interface Line {
  text: string;
  start: number;
  end: number;
  segment: SourceSegment;
}

/** The tables of a document, one after the other, in time linear in its text. */
export function* tablesIn({ text, segments }: SourceDocument): Generator<RawTable> {
  for (const lines of runsOf(text, segments)) {
    for (const table of readRun(lines)) if (table.rows.length > 0) yield table;
  }
}

const sheetOf = ({ location, headings }: SourceSegment): string =>
  `${String(location['path'] ?? '')}\n${String(location['sheet'] ?? '')}\n${headings.join('\n')}`;

/** Whether a line before a table may hold the names of its columns. */
const isRowOfNames = (text: string): boolean =>
  text.includes('\t') && !text.includes('\n') && !/\d/u.test(text);

/** The lines of tables that stand together, with a line of names that was read as prose before them. */
function* runsOf(text: string, segments: readonly SourceSegment[]): Generator<Line[]> {
  let run: Line[] = [];
  let sheet: string | null = null;
  for (const [i, segment] of segments.entries()) {
    const own = segment.kind === 'table' ? sheetOf(segment) : null;
    if (own !== sheet && run.length > 0) {
      yield run;
      run = [];
    }
    sheet = own;
    if (own === null) continue;
    const before = run.length === 0 ? segments[i - 1] : undefined;
    if (before?.kind === 'prose' && isRowOfNames(text.slice(before.start, before.end)))
      run.push(...linesOf(text, before));
    run.push(...linesOf(text, segment));
  }
  if (run.length > 0) yield run;
}

const linesOf = (text: string, segment: SourceSegment): Line[] =>
  linesIn(text, segment.start, segment.end).map((line) => ({ ...line, segment }));

function readRun(lines: readonly Line[]): RawTable[] {
  const [first] = lines;
  if (first === undefined) return [];
  if (first.text.trimStart().startsWith('|')) return readGrid(lines, barCells);
  if (lines.some(({ text }) => text.includes('\t'))) return readGrid(lines, tabCells);
  return readNamed(lines);
}

const clip = (cell: string): string => cell.trim().slice(0, LONGEST_CELL).toWellFormed();

const barCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/gu, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => clip(cell.replaceAll('\\|', '|').replace(/^\s*(\*\*|__)(.*)\1\s*$/u, '$2')))
    .slice(0, MOST_COLUMNS);

const tabCells = (line: string): string[] => line.split('\t').map(clip).slice(0, MOST_COLUMNS);

const tableName = ({ headings, location }: SourceSegment): string =>
  (headings.at(-1) ?? String(location['sheet'] ?? ''))
    .replace(/\s+/gu, ' ')
    .slice(0, LONGEST_NAME)
    .toWellFormed();

const rowOf = ({ start, end }: Line, cells: string[]): RawRow => ({ cells, start, end });

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '');

const hasFigure = (cell: string): boolean => /^[^\p{L}]*\d/u.test(cell);

/** Rows of cells between bars or tabs: the first one names the columns where it looks like it. */
function readGrid(lines: readonly Line[], split: (line: string) => string[]): RawTable[] {
  const rows = lines.map((line) => ({ line, cells: split(line.text) }));
  const [head, second] = rows;
  if (head === undefined) return [];
  const isRule = second?.cells.every((cell) => /^:?-+:?$/u.test(cell)) === true;
  const titled =
    isRule ||
    (rows.length > 1 &&
      !head.cells.some(hasFigure) &&
      rows.slice(1).some(({ cells }) => cells.some(hasFigure)));
  const names = titled ? head.cells : [];
  const body = rows
    .slice(titled ? (isRule ? 2 : 1) : 0)
    .filter(({ cells }) => filled(cells).length > 0);
  const width = Math.max(names.length, ...body.map(({ cells }) => cells.length));
  if (width < 2) return [];
  const pad = (cells: readonly string[]): string[] =>
    Array.from({ length: width }, (_, at) => cells[at] ?? '');
  return [
    {
      name: tableName(head.line.segment),
      names: pad(names),
      rows: body.map(({ line, cells }) => rowOf(line, pad(cells))),
    },
  ];
}

interface NamedCell {
  name: string;
  value: string;
}

/** The cells of 'Name: Ada · City: London', by the names of the columns where those are known. */
function namedCells(line: string, names: ReadonlySet<string>): NamedCell[] {
  const cells: NamedCell[] = [];
  for (const part of line.split(' · ')) {
    const at = part.indexOf(': ');
    const name = at === -1 ? '' : part.slice(0, at).trim();
    const known = names.size === 0 ? /^[\p{L}\p{N}][^.!?]{0,60}$/u.test(name) : names.has(name);
    const last = cells.at(-1);
    if (at !== -1 && known) cells.push({ name, value: part.slice(at + 2) });
    // A cell may hold the very sign that parts cells.
    else if (names.size > 0 && last !== undefined && last.name !== '') last.value += ` · ${part}`;
    else cells.push({ name: '', value: part });
  }
  return cells;
}

/** Whether a line names the columns of the one below it. */
function isHead(names: readonly string[], next: string): boolean {
  const areNames = names.every(
    (name) => name.length <= LONGEST_NAME && !hasFigureAlone(name) && !name.includes(': '),
  );
  const follows = (name: string): boolean =>
    next.startsWith(`${name}: `) || next.includes(` · ${name}: `);
  return names.length > 1 && areNames && names.some(follows);
}

/** Rows that bring the names of their cells, after a row of names or without one. */
function readNamed(lines: readonly Line[]): RawTable[] {
  const tables: RawTable[] = [];
  let names: string[] = [];
  let known: ReadonlySet<string> = new Set();
  let table: RawTable | null = null;
  for (const [i, line] of lines.entries()) {
    const bare = line.text.split(' · ').map((cell) => cell.trim().replace(/:$/u, ''));
    if (isHead(bare, lines[i + 1]?.text ?? '')) {
      table = null;
      names = bare.slice(0, MOST_COLUMNS);
      known = new Set(names);
      continue;
    }
    const cells = namedCells(line.text, known);
    const own = cells.filter(({ name }) => name !== '');
    if (known.size === 0 ? own.length < 2 : own.length === 0 || own.length < cells.length) {
      table = null;
      continue;
    }
    if (known.size === 0) {
      const fresh = own.map(({ name }) => name).filter((name) => !names.includes(name));
      names.push(...new Set(fresh).values().take(MOST_COLUMNS - names.length));
    }
    if (table === null) tables.push((table = { name: tableName(line.segment), names, rows: [] }));
    const values = new Map(own.map(({ name, value }) => [name, clip(value)]));
    const row = names.map((name) => values.get(name) ?? '');
    table.rows.push(rowOf(line, row));
  }
  for (const each of tables) {
    for (const { cells } of each.rows) while (cells.length < each.names.length) cells.push('');
  }
  return tables;
}

const hasFigureAlone = (name: string): boolean =>
  /^[\p{Sc}\d.,\s-]+$/u.test(name) && !/^(?:19|20)\d\d$/u.test(name);
