import type { RecordColumn } from '../documents/document.ts';
import type { RowsAsked } from '../question/rows-asked.ts';
import { type GroupRow, isUnread, type RowGroup } from './row-groups.ts';

/** Figures that have no sum: how much there is by then, and names of something. */
const NO_MEASURE =
  /(?<!\p{L})(?:balance|saldo|solde|kontostand|running total|cumulative|kumuliert|to date)(?!\p{L})|^(?:(?:.* )?(?:no|nr|n[.º°]|id|#|number|nummer)|year|jahr|ano|année|año|code|page|row)\.?$/iu;
const OUT =
  /(?:paid|money|going)? ?out$|debit|withdraw|spent|expense|ausg|soll|belastung|débit|débito|cargo|uscite|dare/iu;
const IN =
  /(?:paid|money|coming)? ?in$|credit|deposit|received|income|einn|haben|gutschrift|crédit|crédito|abono|entrate|avere/iu;
/** Of several amounts of a row the one that is all of it. */
const WHOLE =
  /^(?:(?:grand |line )?total|gross(?! pay)|amount|sum|brutto|gesamt|(?:gesamt|end|brutto|rechnungs)?(?:betrag|summe|preis)|net pay|montant|total ttc|importe|valor|importo|totale)(?!\p{L})(?! (?:tax|vat|net|ht))/iu;

/** The column of figures that a question is about. */
export interface Measure {
  at: number;
  column: RecordColumn;
  /** Amounts that went out, written as negative ones, are told as positive ones. */
  flip: boolean;
}

export const valuesOf = (rows: readonly GroupRow[], at: number): number[] =>
  rows.flatMap(({ cells }) => (typeof cells[at] === 'number' ? [cells[at]] : []));

type Candidate = Pick<Measure, 'at' | 'column'>;

/**
 * The column of figures that a question is about, of those that it names first; null where there is
 * none, or several that it may be about.
 */
export function measureOf(
  group: RowGroup,
  rows: readonly GroupRow[],
  named: readonly number[],
  { spent, received }: Pick<RowsAsked, 'spent' | 'received'>,
): Measure | null {
  const usable = group.columns.flatMap((column, at): Candidate[] =>
    (column.type === 'amount' || column.type === 'number') &&
    !NO_MEASURE.test(column.name.trim()) &&
    valuesOf(rows, at).length > 0
      ? [{ column, at }]
      : [],
  );
  const called = (name: RegExp) => usable.filter(({ column }) => name.test(column.name));
  const [out, back] = [called(OUT), called(IN)];
  const directed = spent ? out : received ? back : [];
  const filled = ({ at }: Candidate): number => valuesOf(rows, at).length;
  const isFlow = out.length > 0 && back.length > 0;
  const choices = [
    isFlow && directed.length === 0
      ? [...out, ...back].toSorted((a, b) => filled(b) - filled(a)).slice(0, 1)
      : directed,
    usable.filter(({ at }) => named.includes(at)),
    usable.filter(({ column }) => column.type === 'amount'),
    usable,
  ];
  const pick = theOne(choices.find((choice) => choice.length > 0) ?? []);
  if (pick === null) return null;
  const values = valuesOf(rows, pick.at);
  const negative = values.filter((value) => value < 0).length;
  const isOut = pick.column.type === 'amount' && !received && negative > values.length / 2;
  return { ...pick, flip: isOut };
}

/** The only one, or the only one of them that is all of a row's amount. */
function theOne(candidates: readonly Candidate[]): Candidate | null {
  if (candidates.length === 1) return candidates[0] ?? null;
  const whole = candidates.filter(({ column }) => WHOLE.test(column.name.trim()));
  return whole.length === 1 ? (whole[0] ?? null) : null;
}

const CODE = /^(?:[A-Z]{3}|[€$£¥₹])$/u;

/** Whether figures of rows have no sum: of two currencies, or one that could not be read among them. */
export function isMixed(
  { columns }: RowGroup,
  rows: readonly GroupRow[],
  { at, column }: Candidate,
): boolean {
  if (rows.some(({ cells }) => isUnread(cells[at]))) return true;
  const units = new Set(
    rows.map(({ table }) => table.columns.find(({ name }) => name === column.name)?.unit ?? null),
  );
  units.delete(null);
  if (units.size > 1) return true;
  // The currency may stand in a column of its own.
  return columns.some(({ type }, i) => {
    const codes = new Set(rows.map(({ cells }) => cells[i]).filter((cell) => cell !== null));
    return type === 'text' && codes.size > 1 && [...codes].every((code) => CODE.test(String(code)));
  });
}
