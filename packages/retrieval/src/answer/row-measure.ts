import type { RecordColumn } from '../documents/document.ts';
import type { RowsAsked } from '../question/rows-asked.ts';
import type { GroupRow, RowGroup } from './row-groups.ts';
import { isUnread } from './row-status.ts';

const BALANCE =
  /(?<!\p{L})(?:balance|saldo|solde|kontostand|running total|cumulative|kumuliert|to date)(?!\p{L})/iu;
const LABEL =
  /^(?:(?:.* )?(?:no|nr|n[.º°]|id|#|number|nummer)|year|jahr|ano|année|año|code|page|row|.*(?:since|seit))\.?$/iu;
const OUT =
  /(?:paid|money|going)? ?out$|debit|withdraw|spent|expense|ausg|soll|belastung|débit|débito|cargo|uscite|dare/iu;
const IN =
  /(?:paid|money|coming)? ?in$|credit|deposit|received|income|einn|haben|gutschrift|crédit|crédito|abono|entrate|avere/iu;
/** Of several amounts of a row the one that is all of it. */
const WHOLE =
  /^(?:(?:grand |line )?total|gross|amount|sum|brutto|gesamt|(?:gesamt|end|brutto|rechnungs)?(?:betrag|summe|preis)|net pay|montant|total ttc|importe|valor|importo|totale)(?!\p{L})(?! (?:tax|vat|net|ht))/iu;

/** The column of figures that a question is about. */
export interface Measure {
  at: number;
  column: RecordColumn;
  /** Amounts that went out, written as negative ones, are told as positive ones. */
  flip: boolean;
}

export const valuesOf = (rows: readonly GroupRow[], at: number): number[] =>
  rows.flatMap(({ cells }) => (typeof cells[at] === 'number' ? [cells[at]] : []));

interface Candidate {
  at: number;
  column: RecordColumn;
}

/**
 * The column of figures that a question is about, of those that it names first; null where there is
 * none, or several that it may be about.
 */
export function measureOf(
  group: RowGroup,
  rows: readonly GroupRow[],
  named: readonly number[],
  asked: Pick<RowsAsked, 'spent' | 'received'>,
): Measure | null {
  const usable = group.columns.flatMap((column, at): Candidate[] =>
    (column.type === 'amount' || column.type === 'number') &&
    !LABEL.test(column.name.trim()) &&
    (named.includes(at) || !BALANCE.test(column.name)) &&
    valuesOf(rows, at).length > 0
      ? [{ column, at }]
      : [],
  );
  const pick = pickOf(usable, { group, rows, named, asked });
  if (pick === null) return null;
  const values = valuesOf(rows, pick.at);
  const negative = values.filter((value) => value < 0).length;
  return {
    ...pick,
    flip: pick.column.type === 'amount' && !asked.received && negative > values.length / 2,
  };
}

interface Choice {
  group: RowGroup;
  rows: readonly GroupRow[];
  named: readonly number[];
  asked: Pick<RowsAsked, 'spent' | 'received'>;
}

function pickOf(
  usable: readonly Candidate[],
  { group, rows, named, asked }: Choice,
): Candidate | null {
  const out = usable.filter(({ column }) => OUT.test(column.name));
  const back = usable.filter(({ column }) => IN.test(column.name));
  const directed = asked.spent ? out : asked.received ? back : [];
  const isFlow = out.length > 0 && back.length > 0;
  const own = usable.filter(({ at }) => named.includes(at));
  if (isFlow) {
    const [first] = directed.length > 0 ? directed : mostFilled([...out, ...back], rows);
    return first ?? null;
  }
  if (own.length > 0) return theOne(own);
  const whole = usable.find(
    ({ column }) => group.fields && /^(?:Total|Net pay)$/u.test(column.name),
  );
  if (whole !== undefined) return whole;
  if (directed.length > 0) return theOne(directed);
  const amounts = usable.filter(({ column }) => column.type === 'amount');
  return amounts.length > 0 ? theOne(amounts) : theOne(usable);
}

/** The only one, or the only one of them that is all of a row's amount. */
function theOne(candidates: readonly Candidate[]): Candidate | null {
  if (candidates.length === 1) return candidates[0] ?? null;
  const whole = candidates.filter(({ column }) => WHOLE.test(column.name.trim()));
  return whole.length === 1 ? (whole[0] ?? null) : null;
}

const mostFilled = (columns: readonly Candidate[], rows: readonly GroupRow[]): Candidate[] =>
  columns.toSorted((a, b) => valuesOf(rows, b.at).length - valuesOf(rows, a.at).length);

const CODE = /^(?:[A-Z]{3}|[€$£¥₹])$/u;

/** Whether figures of rows have no sum: of two currencies, or one that could not be read among them. */
export function isMixed(
  { columns }: RowGroup,
  rows: readonly GroupRow[],
  { at, column }: Pick<Measure, 'at' | 'column'>,
): boolean {
  if (rows.some(({ cells }) => isUnread(cells[at] ?? null))) return true;
  const units = new Set(
    rows.map(({ table }) => table.columns.find(({ name }) => name === column.name)?.unit ?? null),
  );
  units.delete(null);
  if (units.size > 1) return true;
  // The currency may stand in a column of its own.
  return [...columns.entries()].some(([i, { type }]) => {
    const codes = new Set(
      rows.map(({ cells }) => cells[i] ?? null).filter((cell) => cell !== null),
    );
    return type === 'text' && codes.size > 1 && [...codes].every((code) => CODE.test(String(code)));
  });
}
