import type { SourceDocument, SourceSegment, Span } from '../types.ts';
import { type Line, linesIn } from '../documents/lines.ts';

export interface RawRow extends Span {
  cells: string[];
}

export interface RawTable {
  name: string;
  names: string[];
  rows: RawRow[];
}

type UnnamedTable = Omit<RawTable, 'name'>;

/** A value and its label, or ''. */
export interface Field {
  name: string;
  value: string;
}

const MAX_COLUMNS = 60;
const MAX_CELL_LENGTH = 300;
const MAX_NAME_LENGTH = 120;
const MAX_LABEL_WORDS = 6;

const clip = (cell: string): string => cell.trim().slice(0, MAX_CELL_LENGTH).toWellFormed();

/** The cells of a line, separated by bars, middle dots, tabs or several spaces. */
export function cellsOf(line: string): string[] {
  if (line.startsWith('|'))
    return line
      .replace(/^\||\|$/gu, '')
      .split(/(?<!\\)\|/u)
      .map((cell) => clip(cell.replaceAll('\\|', '|').replace(/^\s*(\*\*|__)(.*)\1\s*$/u, '$2')));
  const separator = line.includes('\t') ? /\t/u : line.includes(' · ') ? / · /u : /\s{2,}|\s\|\s/u;
  return line.split(separator).map(clip);
}

const LABELED = /^([\p{L}\p{N}№#][^:：\n]{0,59}?)\s?[:：]\s*(\S[\s\S]*)$/u;
const LIST_MARK = /^(?:[-*•]|\d{1,3}[.)])\s+/u;

export function fieldOf(cell: string): Field {
  const [, name = '', value = ''] = LABELED.exec(cell.replace(LIST_MARK, '')) ?? [];
  // Times, addresses and sentences with a colon have no label.
  const isLabel =
    name.split(/\s+/u).length <= MAX_LABEL_WORDS &&
    !/[.!?]\s|\d$/u.test(name) &&
    !value.startsWith('//');
  return isLabel && name !== '' ? { name, value } : { name: '', value: cell };
}

const sheetOf = ({ location, headings }: SourceSegment): string =>
  [location['path'], location['sheet'], ...headings].join('\n');

const isRowOfNames = (text: string): boolean =>
  text.includes('\t') && !text.includes('\n') && !/\d/u.test(text);

export function* tablesIn({ text, segments }: SourceDocument): Generator<RawTable> {
  const linesOf = ({ start, end }: SourceSegment): Line[] => linesIn(text, start, end);
  for (let index = 0; index < segments.length; index += 1) {
    const first = segments[index];
    if (first?.kind !== 'table') continue;
    const lines: Line[] = [];
    const previous = segments[index - 1];
    if (previous?.kind === 'prose' && isRowOfNames(text.slice(previous.start, previous.end)))
      lines.push(...linesOf(previous));
    lines.push(...linesOf(first));
    for (let next = segments[index + 1]; next?.kind === 'table'; next = segments[index + 1]) {
      if (sheetOf(next) !== sheetOf(first)) break;
      lines.push(...linesOf(next));
      index += 1;
    }
    const heading = first.headings.at(-1) ?? String(first.location['sheet'] ?? '');
    const name = heading.replace(/\s+/gu, ' ').slice(0, MAX_NAME_LENGTH).toWellFormed();
    yield* readTables(lines, name);
  }
}

export function readTables(lines: readonly Line[], name = ''): RawTable[] {
  const isGrid = lines[0]?.text.startsWith('|') || lines.some(({ text }) => text.includes('\t'));
  const hasNames = !isGrid && lines.some(({ text }) => text.includes(' · '));
  const tables = hasNames ? readNamed(lines) : readGrid(lines);
  return tables.filter(({ rows }) => rows.length > 0).map((table) => ({ name, ...table }));
}

const YEAR = /^(?:19|20)\d\d$/u;
const isFigure = (cell: string): boolean => /^[^\p{L}]*\d/u.test(cell) && !YEAR.test(cell);

/** Reads aligned cells. The first row has the column names if only other rows have digits. */
function readGrid(lines: readonly Line[]): UnnamedTable[] {
  const rows = lines.map(({ text, start, end }) => ({
    cells: cellsOf(text).slice(0, MAX_COLUMNS),
    start,
    end,
  }));
  const [head, second] = rows;
  if (head === undefined) return [];
  const isRuled = second?.cells.every((cell) => /^:?-+:?$/u.test(cell)) === true;
  const hasDigits = rows.slice(1).some(({ cells }) => cells.some((cell) => /\d/u.test(cell)));
  const isNamed = isRuled || (!head.cells.some(isFigure) && hasDigits);
  const body = rows
    .slice(isRuled ? 2 : Number(isNamed))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  return paddedTable(isNamed ? head.cells : [], body);
}

function paddedTable(names: readonly string[], rows: readonly RawRow[]): UnnamedTable[] {
  const width = Math.max(names.length, ...rows.map(({ cells }) => cells.length));
  if (width < 2) return [];
  const pad = (cells: readonly string[]): string[] =>
    Array.from({ length: width }, (_, index) => cells[index] ?? '');
  return [{ names: pad(names), rows: rows.map((row) => ({ ...row, cells: pad(row.cells) })) }];
}

const isHead = (names: readonly string[], next: string): boolean =>
  names.length > 1 &&
  names.every(
    (name) => name.length <= MAX_NAME_LENGTH && !isFigure(name) && !name.includes(': '),
  ) &&
  names.some((name) => next.startsWith(`${name}: `) || next.includes(` · ${name}: `));

/** Splits 'Name: Ada · City: London', by the column names if known. */
function fieldsIn(line: string, names: ReadonlySet<string>): Field[] {
  if (names.size === 0) return cellsOf(line).map(fieldOf);
  const fields: Field[] = [];
  for (const part of line.split(' · ')) {
    const colon = part.indexOf(': ');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const last = fields.at(-1);
    if (names.has(name)) fields.push({ name, value: part.slice(colon + 2) });
    // A cell may contain the separator.
    else if (last !== undefined) last.value += ` · ${part}`;
    else fields.push({ name: '', value: part });
  }
  return fields;
}

/** Reads rows that repeat column names: 'Name: Ada · City: London'. */
function readNamed(lines: readonly Line[]): UnnamedTable[] {
  const tables: UnnamedTable[] = [];
  let known: ReadonlySet<string> = new Set();
  for (const [i, { text, start, end }] of lines.entries()) {
    const names = cellsOf(text).map((cell) => cell.replace(/:$/u, ''));
    if (isHead(names, lines[i + 1]?.text ?? '')) {
      tables.push({ names: names.slice(0, MAX_COLUMNS), rows: [] });
      known = new Set(names);
      continue;
    }
    const fields = fieldsIn(text, known);
    const named = fields.filter(({ name }) => name !== '');
    if (named.length < (known.size === 0 ? 2 : fields.length)) continue;
    const table = tables.at(-1) ?? { names: [], rows: [] };
    if (tables.length === 0) tables.push(table);
    const values = new Map(named.map(({ name, value }) => [name, clip(value)]));
    if (known.size === 0)
      table.names = [...new Set([...table.names, ...values.keys()])].slice(0, MAX_COLUMNS);
    table.rows.push({ cells: table.names.map((name) => values.get(name) ?? ''), start, end });
  }
  return tables.flatMap(({ names, rows }) => paddedTable(names, rows));
}
