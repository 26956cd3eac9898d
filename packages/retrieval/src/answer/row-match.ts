import { UNIT_OF } from '../analysis/amounts.ts';
import { wordsOf } from '../analysis/words.ts';
import type { RecordTable } from '../documents/document.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { Question } from '../question/question.ts';
import type { RowsAsked } from '../question/rows-asked.ts';
import { createMatcher } from '../ranking/matching.ts';
import { byAsked, byDates, type RowFilter } from './row-conditions.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';

/** A group of rows as a question may mean it. */
export interface RowMatch {
  group: RowGroup;
  /** The rows that fulfil all that the question says of them. */
  rows: GroupRow[];
  filters: RowFilter[];
  /** The columns that the question names, as positions. */
  columns: number[];
  /** The one that it counts, and the one of days; -1 for none. */
  counted: number;
  day: number;
  /** The share of the question's words that this explains, 0 to 1. */
  explained: number;
  /** How many of its words stand in cells of the rows. */
  inCells: number;
}

/** A name, a number or a code that nothing explains counts so much more. */
const NAME_WEIGHT = 2;
/** A word of less weight need not be explained. */
const LEAST_WEIGHT = 0.35;

type Terms = ReadonlySet<number>;
type Find = (text: string) => Terms;

/** Tells which words of a question stand in a text; each text is looked at once. */
export function createTermFinder(question: Question): Find {
  const matcher = createMatcher(question);
  const known = new Map<string, Terms>();
  return (text) => {
    const terms =
      known.get(text) ??
      new Set(
        wordsOf(text).words.flatMap((word) => {
          const match = matcher.match(word);
          return match === null ? [] : [...match.exact, ...match.lowered];
        }),
      );
    known.set(text, terms);
    return terms;
  };
}

export interface MatchContext {
  question: Question;
  asked: RowsAsked;
  find: Find;
}

/** Where a group says a word of the question. */
interface TermUse {
  /** Positions of columns whose name or unit says it. */
  columns: number[];
  /** Whether the name of every table says it, or of some. */
  named: 'all' | 'some' | 'none';
  /** Positions of columns with a cell that has it. */
  cells: number[];
}

/** How a question means a group of rows; null where none of them fulfils what it says. */
export function matchRows(group: RowGroup, context: MatchContext): RowMatch | null {
  const { question, asked, find } = context;
  const dated = byDates(group, question, asked);
  if (dated === null) return null;
  const uses = usesOf(group, context);
  const read = readTerms(group, uses, context, dated.isDated);
  if (read === null) return null;
  const { columns, conditions, numbers, all } = read;
  const fulfils = (row: GroupRow, at: number): boolean =>
    find(nameOf(row.table)).has(at) ||
    uses[at]?.cells.some((column) => find(String(row.cells[column] ?? '')).has(at)) === true;
  const holding = dated.rows.filter((row) => conditions.every((at) => fulfils(row, at)));
  const filters = filtersSaid(conditions, question, uses, group);
  let [rows, explained] = [holding, read.explained];
  for (const { value, surface, worth } of numbers) {
    const column = columns.find((at) => rows.some(({ cells }) => cells[at] === value));
    if (column === undefined) continue;
    rows = rows.filter(({ cells }) => cells[column] === value);
    filters.push({ column: group.columns[column]?.name ?? '', value: surface });
    explained += worth;
  }
  const chosen = byAsked(group, rows, columns, context);
  if (chosen === null || chosen.rows.length === 0) return null;
  const counted = question.terms.findIndex(
    ({ surface }) => surface.toLowerCase() === asked.counted,
  );
  return {
    group,
    rows: chosen.rows.toSorted(byDay(dated.day)),
    filters: [...filters, ...chosen.filters],
    columns,
    counted: uses[counted]?.columns[0] ?? -1,
    day: dated.day,
    explained: all === 0 ? 1 : explained / all,
    inCells: uses.filter(({ cells }, at) => read.own.has(at) && cells.length > 0).length,
  };
}

const byDay =
  (at: number) =>
  ({ cells: one }: GroupRow, { cells: other }: GroupRow): number =>
    String(one[at] ?? '').localeCompare(String(other[at] ?? ''));

const nameOf = ({ fileName, name }: RecordTable): string => `${wordsOfFileName(fileName)} ${name}`;

/** Whether a word of the question names what a column counts: 'hours' a column in h. */
const namesUnit = (surface: string, unit: string | null): boolean => {
  const own = UNIT_OF.get(unit?.toLowerCase() ?? '');
  return own !== undefined && own === UNIT_OF.get(surface.toLowerCase());
};

function usesOf(group: RowGroup, { question, find }: MatchContext): TermUse[] {
  const names = group.tables.map((table) => find(nameOf(table)));
  // What only says of which kind the documents are is no condition.
  const kind = group.fields ? find(group.tables[0]?.name ?? '') : new Set<number>();
  const text = [...group.columns.keys()].filter((at) => group.columns[at]?.type === 'text');
  const cells = text.map((at) => new Set(group.rows.map((row) => String(row.cells[at] ?? ''))));
  return question.terms.map(({ surface }, at): TermUse => {
    if (kind.has(at)) return { columns: [0], named: 'all', cells: [] };
    const having = names.filter((terms) => terms.has(at)).length;
    return {
      columns: group.columns.flatMap(({ name, type, unit }, i) =>
        find(name).has(at) || (type === 'number' && namesUnit(surface, unit)) ? [i] : [],
      ),
      named: having === 0 ? 'none' : having === names.length ? 'all' : 'some',
      cells: text.filter((_, i) => cells[i]?.values().some((cell) => find(cell).has(at))),
    };
  });
}

interface TermsRead {
  columns: number[];
  /** Terms that a row or its table has to say. */
  conditions: number[];
  numbers: { value: number; surface: string; worth: number }[];
  /** The terms that have to be explained, what they weigh, and what those that are weigh. */
  own: ReadonlySet<number>;
  all: number;
  explained: number;
}

/** What each word of a question is to a group; null where days are left that nothing tells. */
function readTerms(
  { fields }: RowGroup,
  uses: readonly TermUse[],
  { question, asked }: MatchContext,
  isDated: boolean,
): TermsRead | null {
  const dateTerms = new Set(question.dates.flatMap(({ terms }) => terms));
  const columns = new Set<number>();
  const read = { conditions: [] as number[], numbers: [] as TermsRead['numbers'] };
  const own = new Set<number>();
  let [all, explained] = [0, 0];
  for (const [at, { surface, weight, name }] of question.terms.entries()) {
    const use = uses[at];
    if (use === undefined || weight < LEAST_WEIGHT) continue;
    const isDay = dateTerms.has(at) && isDated;
    if (!isDay) for (const column of use.columns) columns.add(column);
    if (!isDay && asked.words.has(surface.toLowerCase())) continue;
    const isSaid = use.columns.length > 0 || use.named !== 'none' || use.cells.length > 0;
    if (!isSaid && !isDay && dateTerms.has(at)) return null;
    const worth = name && !isDay ? weight * NAME_WEIGHT : weight;
    all += worth;
    if (isSaid || isDay) explained += worth;
    if (isDay) continue;
    own.add(at);
    const isOfAll = use.columns.length > 0 || (use.named === 'all' && !fields);
    if (isSaid && !isOfAll) read.conditions.push(at);
    else if (!isSaid && /^\d+(?:[.,]\d+)?$/u.test(surface))
      read.numbers.push({ value: Number(surface.replace(',', '.')), surface, worth });
  }
  return { ...read, own, all, explained, columns: [...columns] };
}

/** The conditions as they are told: the words of the question by the column they were found in. */
function filtersSaid(
  conditions: readonly number[],
  { terms }: Question,
  uses: readonly TermUse[],
  { columns }: RowGroup,
): RowFilter[] {
  const byColumn = Map.groupBy(conditions, (at) => columns[uses[at]?.cells[0] ?? -1]?.name ?? '');
  return [...byColumn].map(([column, own]) => ({
    column,
    value: own.map((at) => terms[at]?.surface).join(' '),
  }));
}
