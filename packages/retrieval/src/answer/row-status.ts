import type { RowsAsked } from '../question/rows-asked.ts';
import { UNIT_OF } from '../analysis/amounts.ts';
import { currencyOf } from '../documents/cells.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';

type Cell = string | number | null;

/** Columns that say whether something is paid. */
const STATUS =
  /^(?:(?:payment )?(?:status|state)|(?:already |date )?paid(?: ?(?:\?|on|date|at))?|date paid|payment date|settled(?: on)?|(?:zahlungs)?status|(?:bereits )?(?:be|ge)zahlt(?: ?(?:\?|am))?|zahlungsdatum|beglichen(?: am)?|payé(?:e)?(?: le)?|pagad[oa]|pagat[oa]|betaald|pago)$/iu;
const PAID =
  /^(?:yes|y|ja|j|true|x|✓|✔|☑|paid|settled|cleared|complete[d]?|received|bezahlt|gezahlt|beglichen|erledigt|eingegangen|payée?|pagad[oa]|pagat[oa]|betaald|oui|sí|si|sim)(?!\p{L})/iu;
const OPEN =
  /^(?:no|n|nein|false|-|–|unpaid|not (?:yet )?paid|open|outstanding|overdue|pending|due|unsettled|offen|unbezahlt|ausstehend|überfällig|nicht (?:be|ge)zahlt|impayée?|pendiente|non)(?!\p{L})/iu;
/** Neither: nothing is owed any more, and nothing was paid. */
const VOID = /^(?:cancel(?:l?ed)|void|refunded|written off|storniert|erlassen|n\/?a)(?!\p{L})/iu;
const DUE = /^(?:due(?: date| on| by)?|payable by|fällig(?: am| bis)?|zahlbar bis|fälligkeit)$/iu;

type Status = 'open' | 'paid' | 'void' | null;

/** What a cell says of being paid; null for what nothing here reads. */
function statusOf(cell: Cell): Status {
  if (cell === null) return 'open';
  if (typeof cell === 'number') return null;
  if (VOID.test(cell)) return 'void';
  if (OPEN.test(cell)) return 'open';
  return PAID.test(cell) || /\d{4}|\d[./]\d/u.test(cell) ? 'paid' : null;
}

/** The column that says whether rows are paid; -1 for none. */
export const statusColumn = ({ columns }: RowGroup): number =>
  columns.findIndex(
    ({ name, type }) => STATUS.test(name.trim()) && (type === 'text' || type === 'date'),
  );

/**
 * The rows that are paid, or are not, by a column that says so; null where none does, or says of one
 * row what nothing here reads.
 */
export function byStatus(
  group: RowGroup,
  rows: readonly GroupRow[],
  { status, overdue }: Pick<RowsAsked, 'status' | 'overdue'>,
  today: string,
): { rows: GroupRow[]; column: number } | null {
  const column = statusColumn(group);
  if (column === -1) return null;
  // Where no row says that it is paid, an empty cell says nothing.
  if (group.rows.every(({ cells }) => cells[column] === null)) return null;
  const told = rows.map((row) => ({ row, status: statusOf(row.cells[column] ?? null) }));
  if (told.some((one) => one.status === null)) return null;
  const meant = told.flatMap((one) => (one.status === status ? [one.row] : []));
  if (!overdue) return { rows: meant, column };
  const due = group.columns.findIndex(({ name, type }) => DUE.test(name.trim()) && type === 'date');
  if (due === -1) {
    const said = meant.filter(({ cells }) => /overdue|überfällig/iu.test(String(cells[column])));
    return said.length > 0 ? { rows: said, column } : null;
  }
  return { rows: meant.filter(({ cells }) => String(cells[due] ?? '9') < today), column };
}

/** The column that an amount of a question is compared with; -1 where it cannot be told. */
export function boundColumn(
  { columns }: RowGroup,
  { bounds }: Pick<RowsAsked, 'bounds'>,
  { named, usual }: { named: readonly number[]; usual: number },
): number {
  const unit = bounds.find((bound) => bound.unit !== null)?.unit ?? null;
  const currency = unit === null ? null : currencyOf(unit);
  const family = unit === null ? undefined : UNIT_OF.get(unit);
  const isFigure = (at: number): boolean => /^(?:amount|number)$/u.test(columns[at]?.type ?? '');
  const fits = (at: number): boolean => {
    const own = columns[at]?.unit ?? null;
    if (currency !== null)
      return columns[at]?.type === 'amount' && (own === null || own === currency);
    return family === undefined || (own !== null && UNIT_OF.get(own.toLowerCase()) === family);
  };
  const at = named.find((each) => isFigure(each) && fits(each));
  if (at !== undefined) return at;
  if (usual !== -1 && fits(usual)) return usual;
  const others = [...columns.keys()].filter((each) => isFigure(each) && fits(each));
  return (currency !== null || family !== undefined) && others.length === 1
    ? (others[0] ?? -1)
    : -1;
}

/** The rows that are within what a question says of an amount; null where one cannot be compared. */
export function withinBounds(
  rows: readonly GroupRow[],
  column: number,
  { bounds }: Pick<RowsAsked, 'bounds'>,
): GroupRow[] | null {
  if (rows.some(({ cells }) => isUnread(cells[column] ?? null))) return null;
  // What goes out is written as a negative amount by some, and means as much.
  const size = ({ cells }: GroupRow): number => Math.abs(Number(cells[column]));
  return rows.filter((row) => {
    if (typeof row.cells[column] !== 'number') return false;
    return bounds.every(({ is, value }) => {
      if (is === 'over') return size(row) > value;
      if (is === 'under') return size(row) < value;
      return is === 'atLeast' ? size(row) >= value : size(row) <= value;
    });
  });
}

/** Whether a cell of a column of figures or days holds one that could not be read: '5 USD', 'about 12'. */
export const isUnread = (cell: Cell): boolean =>
  typeof cell === 'string' && /\d/u.test(cell) && !/^\d{4}-\d\d-\d\d$/u.test(cell);
