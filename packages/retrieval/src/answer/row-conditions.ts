import { UNIT_OF } from '../analysis/amounts.ts';
import { currencyOf } from '../documents/cells.ts';
import { wordsOfFileName } from '../documents/lines.ts';
import type { RecordTable } from '../documents/document.ts';
import type { Question } from '../question/question.ts';
import { type RowsAsked, rowSayings } from '../question/rows-asked.ts';
import { type GroupRow, isUnread, type RowGroup } from './row-groups.ts';
import { measureOf } from './row-measure.ts';

type Cell = GroupRow['cells'][number] | undefined;

/** What a condition says of rows, for the reader. */
export interface RowFilter {
  /** A column's name, or a file's. */
  column: string;
  value: string;
}

/** Columns that say whether something is paid, and cells that say that it is not, or that it is. */
const STATUS =
  /^(?:(?:payment )?(?:status|state)|(?:already |date )?(?:paid|settled)(?: ?(?:\?|on|date|at))?|payment date|(?:zahlungs)?status|(?:bereits )?(?:be|ge)zahlt(?: ?(?:\?|am))?|payée?(?: le)?|pagad[oa]|pagat[oa]|betaald|pago)$/iu;
const OPEN =
  /^(?:no|n|nein|false|-|–|unpaid|not (?:yet )?paid|open|outstanding|overdue|pending|due|offen|unbezahlt|ausstehend|überfällig|nicht (?:be|ge)zahlt|impayée?|pendiente|non)(?!\p{L})/iu;
const SAID = new RegExp(
  String.raw`${OPEN.source}|^$|\d{4}|\d[./]\d|^(?:yes|y|ja|j|true|x|✓|✔|paid|settled|received|bezahlt|gezahlt|erledigt|payée?|pagad[oa]|pagat[oa]|betaald|oui|sí|si|sim)(?!\p{L})`,
  'iu',
);

const SIGNS = { over: '>', atLeast: '≥', under: '<', atMost: '≤' } as const;

/** The rows that are paid or not, and above or below an amount, as asked; null where that cannot be told. */
export function byAsked(
  group: RowGroup,
  rows: GroupRow[],
  named: readonly number[],
  { question, asked }: { question: Question; asked: RowsAsked },
): { rows: GroupRow[]; filters: RowFilter[] } | null {
  const filters: RowFilter[] = [];
  let chosen = rows;
  const at = group.columns.findIndex(({ name }) => STATUS.test(name.trim()));
  // 'How often did we pay the rent?' asks for no status.
  if (asked.status === 'open' || (asked.status === 'paid' && at !== -1)) {
    const said = group.rows.map(({ cells }) => String(cells[at] ?? ''));
    // Where no row says that it is paid, an empty cell says nothing; nor does a day say what is due.
    const type = group.columns[at]?.type;
    const isFigure = type === 'amount' || type === 'number';
    const isTold = said.some(Boolean) && (isFigure || said.every((cell) => SAID.test(cell)));
    if (at === -1 || !isTold || asked.overdue) return null;
    const isOpen = (cell: Cell): boolean => cell === null || cell === 0 || OPEN.test(String(cell));
    chosen = rows.filter(({ cells }) => isOpen(cells[at]) === (asked.status === 'open'));
    const value = rowSayings(question.language)[asked.status];
    filters.push({ column: group.columns[at]?.name ?? '', value });
  }
  if (asked.bounds.length > 0) {
    const at = boundColumn(group, asked, named, measureOf(group, rows, named, asked)?.at ?? -1);
    if (at === -1 || rows.some(({ cells }) => isUnread(cells[at]))) return null;
    chosen = chosen.filter(({ cells }) => isWithinBounds(cells[at], asked));
    const value = asked.bounds.map(({ is, value }) => `${SIGNS[is]} ${value}`).join(', ');
    filters.push({ column: group.columns[at]?.name ?? '', value });
  }
  return { rows: chosen, filters };
}

/** The column that an amount of a question is compared with; -1 where it cannot be told. */
function boundColumn(
  { columns }: RowGroup,
  { bounds }: RowsAsked,
  named: readonly number[],
  usual: number,
): number {
  const unit = bounds.find((bound) => bound.unit !== null)?.unit ?? null;
  const currency = unit === null ? null : currencyOf(unit);
  const family = unit === null ? undefined : UNIT_OF.get(unit);
  const fitting = [...columns.keys()].filter((at) => {
    const { type, unit: own = null } = columns[at] ?? {};
    if (currency !== null) return type === 'amount' && (own ?? currency) === currency;
    if (type !== 'amount' && type !== 'number') return false;
    return family === undefined || UNIT_OF.get(own?.toLowerCase() ?? '') === family;
  });
  const at = [...named, usual].find((each) => fitting.includes(each));
  const isUnit = currency !== null || family !== undefined;
  return at ?? (isUnit && fitting.length === 1 ? (fitting[0] ?? -1) : -1);
}

function isWithinBounds(cell: Cell, { bounds }: RowsAsked): boolean {
  if (typeof cell !== 'number') return false;
  // What goes out is written as a negative amount by some, and means as much.
  const size = Math.abs(cell);
  return bounds.every(({ is, value }) => {
    if (is === 'over') return size > value;
    if (is === 'under') return size < value;
    return is === 'atLeast' ? size >= value : size <= value;
  });
}

const namesYear = ({ fileName, name }: RecordTable, year: number): boolean =>
  `${wordsOfFileName(fileName)} ${name}`.split(/\s+/u).includes(String(year));

/** Years that days without one may be of, counted back from the next such days. */
const YEARS_BACK = [0, 1, 2, 3];

const isWithin = (cell: Cell, from: number, to: number): boolean => {
  if (typeof cell !== 'string') return false;
  const day = Number(cell.replaceAll('-', ''));
  return day >= from && day <= to;
};

/**
 * The rows of the days that a question names, by their column of days or by the year in a table's
 * name; `isDated` says whether either tells. Null where no row is of these days.
 */
export function byDates(
  { columns, rows }: RowGroup,
  { dates }: Question,
  { days, status }: RowsAsked,
): { rows: GroupRow[]; day: number; isDated: boolean } | null {
  const day = columns.findIndex(({ type }) => type === 'date');
  if (dates.length === 0 && days === null) return { rows, day, isDated: false };
  if (day === -1) {
    const years = dates.map(({ range }) => Math.floor(range.from / 10_000));
    const named = rows.filter(({ table }) => years.some((year) => namesYear(table, year)));
    if (days !== null) return null;
    return named.length === 0 ? { rows, day, isDated: false } : { rows: named, day, isDated: true };
  }
  if (rows.some(({ cells }) => isUnread(cells[day]))) return null;
  const within = (back: number): GroupRow[] =>
    rows.filter(({ cells, table }) =>
      dates.some(({ range: { from, to, openYear } }) => {
        const earlier = openYear ? back * 10_000 : 0;
        // What is not paid yet has no day, but stands in a table of its year.
        const isUndated = status === 'open' && cells[day] === null;
        return isUndated
          ? namesYear(table, Math.floor(from / 10_000))
          : isWithin(cells[day], from - earlier, to - earlier);
      }),
    );
  const fitting =
    days === null
      ? YEARS_BACK.map(within).find((found) => found.length > 0)
      : rows.filter(({ cells }) => isWithin(cells[day], days.from, days.to));
  return fitting === undefined || fitting.length === 0
    ? null
    : { rows: fitting, day, isDated: true };
}
