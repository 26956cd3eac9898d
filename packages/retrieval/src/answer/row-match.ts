import { UNIT_OF } from '../analysis/amounts.ts';
import { wordsOf } from '../analysis/words.ts';
import type { RecordTable } from '../documents/document.ts';
import type { Question } from '../question/question.ts';
import { rowSayings, type RowsAsked } from '../question/rows-asked.ts';
import { createMatcher } from '../ranking/matching.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';
import { measureOf } from './row-measure.ts';
import { boundColumn, byStatus, isUnread, statusColumn, withinBounds } from './row-status.ts';

/** What a condition says of rows, for the reader. */
export interface RowFilter {
  /** A column's name, or a file's. */
  column: string;
  value: string;
}

/** A group of rows as a question may mean it. */
export interface RowMatch {
  group: RowGroup;
  /** The rows that fulfil all that the question says of them. */
  rows: GroupRow[];
  filters: RowFilter[];
  /** The columns that the question names, as positions. */
  columns: number[];
  /** The columns that each word of the question names, by the word in small letters. */
  named: ReadonlyMap<string, readonly number[]>;
  /** The column of days by which rows were chosen or can be put together; -1 for none. */
  day: number;
  /** The share of the question's words that this explains, 0 to 1. */
  explained: number;
  /** How many of its words stand in cells of the rows. */
  inCells: number;
}

/** Lists of what letters stand for: 'A' for alto. */
const LEGEND = { rows: 30, values: 12 } as const;
/** A name, a number or a code that nothing explains counts so much more. */
const NAME_WEIGHT = 2;

type Terms = ReadonlySet<number>;

const NO_TERMS: Terms = new Set();

/** Tells which words of a question stand in a text; each text is looked at once. */
export function createTermFinder(question: Question): (text: string) => Terms {
  const matcher = createMatcher(question);
  const known = new Map<string, Terms>();
  return (text) => {
    let terms = known.get(text);
    if (terms === undefined) {
      const found = new Set<number>();
      for (const word of wordsOf(text).words) {
        const match = matcher.match(word);
        if (match === null) continue;
        for (const at of [...match.exact, ...match.lowered, ...match.soft]) found.add(at);
      }
      terms = found.size === 0 ? NO_TERMS : found;
      known.set(text, terms);
    }
    return terms;
  };
}

const WEIGHTS = new Set(['mg', 'g', 'kg', 't', 'lb'].map((unit) => UNIT_OF.get(unit)));

/** Whether a word of the question names what a column counts: 'kilos' a column in kg. */
function namesUnit(surface: string, unit: string | null, asked: RowsAsked): boolean {
  if (unit === null) return false;
  const own = UNIT_OF.get(unit.toLowerCase());
  if (own === undefined) return false;
  const word = surface.toLowerCase();
  return UNIT_OF.get(word) === own || (WEIGHTS.has(own) && asked.weight && asked.words.has(word));
}

/** File names say in their parts what they are of: 'mileage-log-2024.csv'. */
const nameText = (fileName: string): string =>
  fileName
    .replace(/\.\w{1,5}$/u, '')
    .replace(/[_.()[\]-]+|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ');

/** The words that stand for the few values of a column, from a table of two columns in its file. */
function legendsOf(tables: readonly RecordTable[]): Map<string, Map<string, string>> {
  const legends = new Map<string, Map<string, string>>();
  for (const { artifactId, columns, rows } of tables) {
    if (
      columns.length !== 2 ||
      rows.length > LEGEND.rows ||
      columns.some(({ type }) => type !== 'text')
    )
      continue;
    const own = legends.get(artifactId) ?? new Map<string, string>();
    // The first pair may have been taken for names of columns.
    for (const [short, long] of [
      columns.map(({ name }) => name),
      ...rows.map(({ cells }) => cells),
    ]) {
      if (typeof short === 'string' && typeof long === 'string' && short.length < 5)
        own.set(short, long);
    }
    legends.set(artifactId, own);
  }
  return legends;
}

export interface MatchContext {
  question: Question;
  asked: RowsAsked;
  find: (text: string) => Terms;
  tables: readonly RecordTable[];
  /** As YYYY-MM-DD. */
  today: string;
}

interface TermUse {
  /** Positions of columns whose name or unit says it. */
  columns: number[];
  /** Whether the name of every table says it, or of some. */
  named: 'all' | 'some' | 'none';
  /** Positions of columns with a cell that has it. */
  cells: Set<number>;
}

/** How a question means a group of rows; null where none of them fulfils what it says. */
export function matchRows(group: RowGroup, context: MatchContext): RowMatch | null {
  const { question, asked, find, tables } = context;
  const legends = legendsOf(tables);
  const namesOf = new Map(
    group.tables.map((table) => [table, find(`${nameText(table.fileName)} ${table.name}`)]),
  );
  const cellTerms = (row: GroupRow, column: number): Terms => {
    const value = row.cells[column];
    if (typeof value !== 'string' || group.columns[column]?.type !== 'text') return NO_TERMS;
    const meant = value.length < 5 ? legends.get(row.table.artifactId)?.get(value) : undefined;
    return find(meant === undefined ? value : `${value} ${meant}`);
  };
  const used = usesOf(group, context, namesOf, cellTerms);
  let rows = group.rows;
  const filters: RowFilter[] = [];
  const dated = byDates(group, rows, question, asked);
  if (dated === null) return null;
  ({ rows } = dated);
  // A month may stand in a column of words, as days do not.
  const isDated = dated.day !== -1 || dated.byName;
  const dateTerms = new Set(question.dates.flatMap(({ terms }) => [...terms]));
  let [explained, all, inCells] = [0, 0, 0];
  let undated = false;
  const columns = new Set<number>();
  const conditions: number[] = [];
  const numbers: { value: number; surface: string; weight: number }[] = [];
  question.terms.forEach(({ surface, weight, name }, at) => {
    if (weight < 0.35) return;
    if (dateTerms.has(at) && isDated) {
      const own = name ? 1 : weight;
      all += own;
      explained += own;
      return;
    }
    const use = used[at];
    const isCommon = asked.words.has(surface.toLowerCase());
    if (use === undefined) return;
    if (isCommon) {
      for (const column of use.columns) columns.add(column);
      return;
    }
    const worth = name ? weight * NAME_WEIGHT : weight;
    all += worth;
    if (use.columns.length > 0) for (const column of use.columns) columns.add(column);
    else if (use.named === 'all' && !group.fields) explained += 0;
    else if (use.cells.size > 0 || use.named === 'some' || (group.fields && use.named !== 'none'))
      conditions.push(at);
    else if (/^\d+(?:[.,]\d+)?$/u.test(surface))
      numbers.push({ value: Number(surface.replace(',', '.')), surface, weight: worth });
    const isExplained = use.columns.length > 0 || use.named !== 'none' || use.cells.size > 0;
    if (isExplained) explained += worth;
    else if (dateTerms.has(at)) undated = true;
    if (use.cells.size > 0) inCells += 1;
  });
  // Rows of other days would be among them.
  if (undated) return null;
  const fulfils = (row: GroupRow, at: number): boolean =>
    namesOf.get(row.table)?.has(at) === true ||
    [...(used[at]?.cells ?? [])].some((column) => cellTerms(row, column).has(at));
  const before = rows;
  rows = rows.filter((row) => conditions.every((at) => fulfils(row, at)));
  if (rows.length === 0) {
    const inOneColumn = group.columns.some((_, column) =>
      conditions.every((at) => used[at]?.cells.has(column)),
    );
    const either = /(?<!\p{L})(?:and|or|und|oder|et|ou|e|o|y)(?!\p{L})/iu.test(question.text);
    rows =
      either && inOneColumn
        ? before.filter((row) => conditions.some((at) => fulfils(row, at)))
        : [];
  }
  filters.push(...filtersSaid(conditions, question, used, group, rows, cellTerms));
  for (const { value, surface, weight } of numbers) {
    const column = [...columns].find((at) => rows.some(({ cells }) => cells[at] === value));
    if (column === undefined) continue;
    rows = rows.filter(({ cells }) => cells[column] === value);
    filters.push({ column: group.columns[column]?.name ?? '', value: surface });
    explained += weight;
  }
  const chosen = byAsked(group, rows, [...columns], context);
  if (chosen === null || chosen.rows.length === 0) return null;
  rows = chosen.rows;
  filters.push(...chosen.filters);
  return {
    group,
    rows,
    filters,
    columns: [...columns],
    named: new Map(
      question.terms.map(({ surface }, at) => [surface.toLowerCase(), used[at]?.columns ?? []]),
    ),
    day: dated.day === -1 ? dayColumn(group) : dated.day,
    explained: all === 0 ? 1 : explained / all,
    inCells,
  };
}

/** The rows that are paid or not, and above or below an amount, as asked; null where that cannot be told. */
function byAsked(
  group: RowGroup,
  rows: GroupRow[],
  named: readonly number[],
  { asked, today, question }: MatchContext,
): { rows: GroupRow[]; filters: RowFilter[] } | null {
  const filters: RowFilter[] = [];
  const say = rowSayings(question.language);
  let chosen = rows;
  if (asked.status !== null) {
    const told = byStatus(group, rows, asked, today);
    // 'How often did we pay the rent?' asks for no status.
    if (told === null && (asked.status === 'open' || statusColumn(group) !== -1)) return null;
    chosen = told?.rows ?? rows;
    if (told !== null)
      filters.push({ column: group.columns[told.column]?.name ?? '', value: say[asked.status] });
  }
  if (asked.bounds.length > 0) {
    const usual = measureOf(group, rows, named, asked)?.at ?? -1;
    const column = boundColumn(group, asked, { named, usual });
    const within = column === -1 ? null : withinBounds(chosen, column, asked);
    if (within === null) return null;
    chosen = within;
    const value = asked.bounds.map(({ is, value }) => `${SIGNS[is]} ${value}`).join(', ');
    filters.push({ column: group.columns[column]?.name ?? '', value });
  }
  return { rows: chosen, filters };
}

const SIGNS = { over: '>', atLeast: '≥', under: '<', atMost: '≤' } as const;

function usesOf(
  group: RowGroup,
  { question, asked, find }: MatchContext,
  namesOf: ReadonlyMap<RecordTable, Terms>,
  cellTerms: (row: GroupRow, column: number) => Terms,
): TermUse[] {
  const names = [...namesOf.values()];
  const kind = group.fields ? find(group.tables[0]?.name ?? '') : NO_TERMS;
  const used = question.terms.map(({ surface }, at): TermUse => {
    const having = names.filter((terms) => terms.has(at)).length;
    return {
      columns: group.columns.flatMap(({ name, unit }, i) =>
        find(name).has(at) || namesUnit(surface, unit, asked) ? [i] : [],
      ),
      named: having === names.length || kind.has(at) ? 'all' : having > 0 ? 'some' : 'none',
      cells: new Set(),
    };
  });
  const text = group.columns.flatMap(({ type }, i) => (type === 'text' ? [i] : []));
  for (const row of group.rows) {
    for (const column of text) for (const at of cellTerms(row, column)) used[at]?.cells.add(column);
  }
  for (const [at, use] of used.entries()) {
    const word = question.terms[at]?.surface.toLowerCase();
    const whole = [...use.cells].filter((column) =>
      group.rows.some(({ cells }) => String(cells[column]).toLowerCase() === word),
    );
    // 'Food' as a category, not 'dog food' in a note.
    if (whole.length > 0) use.cells = new Set(whole);
  }
  // What only says of which kind the documents are is no condition.
  if (group.fields)
    for (const at of kind) used[at] = { columns: [0], named: 'all', cells: new Set() };
  return used;
}

/** The column of days: the first one, as rows are mostly of the day they begin with. */
const dayColumn = ({ columns }: RowGroup): number =>
  columns.findIndex(({ type }) => type === 'date');

const YEAR = /^(?:19|20)\d\d$/u;

/** The rows of the days that a question names; null where none is of them. */
function byDates(
  group: RowGroup,
  rows: GroupRow[],
  { dates }: Question,
  { days }: RowsAsked,
): { rows: GroupRow[]; day: number; byName: boolean } | null {
  const none = { rows, day: -1, byName: false };
  if (dates.length === 0 && days === null) return none;
  const day = dayColumn(group);
  if (day !== -1 && rows.some(({ cells }) => isUnread(cells[day] ?? null))) return null;
  if (days !== null) {
    const fitting = day === -1 ? [] : rows.filter(({ cells }) => isWithin(cells[day], days));
    return fitting.length === 0 ? null : { rows: fitting, day, byName: false };
  }
  if (day === -1) {
    const year = group.columns.findIndex(
      ({ name, type }) => type === 'number' && /^(?:year|jahr|ano|année|año|anno)$/iu.test(name),
    );
    const years = new Set(dates.map(({ range }) => Math.floor(range.from / 10_000)));
    if (year !== -1) {
      const fitting = rows.filter(({ cells }) => years.has(Number(cells[year])));
      return fitting.length === 0 ? null : { rows: fitting, day: -1, byName: true };
    }
    // A table without days may be named after its year; then it is of no other.
    const named = rows.filter(({ table }) => {
      const said = (`${nameText(table.fileName)} ${table.name}`.match(/\d{4}/gu) ?? []).filter(
        (word) => YEAR.test(word),
      );
      return said.some((word) => years.has(Number(word)));
    });
    return named.length === 0 ? none : { rows: named, day: -1, byName: true };
  }
  const last = rows.reduce(
    (most, { cells }) => (String(cells[day] ?? '') > most ? String(cells[day]) : most),
    '',
  );
  const ranges = dates.map(({ range: { from, to, openYear } }) => {
    if (!openYear) return { from, to };
    // Without a year the last one is meant in which there are such days.
    const years = [...new Set(rows.map(({ cells }) => String(cells[day] ?? '').slice(0, 4)))]
      .filter(Boolean)
      .sort()
      .reverse();
    const shifted = years.map((year) => {
      const by = Number(year) * 10_000 - Math.floor(from / 10_000) * 10_000;
      return { from: from + by, to: to + by };
    });
    return (
      shifted.find((range) => rows.some(({ cells }) => isWithin(cells[day], range))) ?? { from, to }
    );
  });
  const fitting = rows.filter(({ cells }) => ranges.some((range) => isWithin(cells[day], range)));
  return fitting.length === 0 || last === '' ? null : { rows: fitting, day, byName: false };
}

const isWithin = (
  cell: string | number | null | undefined,
  { from, to }: { from: number; to: number },
): boolean => {
  if (typeof cell !== 'string') return false;
  const day = Number(cell.replaceAll('-', ''));
  return day >= from && day <= to;
};

/** The conditions as they are told: the words of the question by the column they were found in. */
function filtersSaid(
  conditions: readonly number[],
  { terms }: Question,
  used: readonly TermUse[],
  { columns }: RowGroup,
  rows: readonly GroupRow[],
  cellTerms: (row: GroupRow, column: number) => Terms,
): RowFilter[] {
  const byColumn = new Map<string, string[]>();
  for (const at of conditions) {
    const column = [...(used[at]?.cells ?? [])].find((i) =>
      rows.some((row) => cellTerms(row, i).has(at)),
    );
    const name = column === undefined ? '' : (columns[column]?.name ?? '');
    byColumn.set(name, [...(byColumn.get(name) ?? []), terms[at]?.surface ?? '']);
  }
  return [...byColumn].map(([column, words]) => ({ column, value: words.join(' ') }));
}
