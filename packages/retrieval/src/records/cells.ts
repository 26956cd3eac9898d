import { memoize } from '../memoize.ts';
import { CURRENCY_OF, UNIT_OF } from '../text/measures.ts';
import { alternatives } from '../languages/index.ts';
import { findDates } from '../scope/dates.ts';
import { isoOf } from '../documents/day.ts';
import type { RecordColumn } from '../documents/document.ts';

interface RawColumn {
  name: string;
  cells: readonly string[];
}

interface TypedColumn {
  column: RecordColumn;
  values: (string | number | null)[];
}

const MAX_VALUE_LENGTH = 40;
const MAX_CELLS = 0.8;
const PROBED = 20;
/** Maximum letters beside a date, for a time or weekday. */
const BESIDE_DATE = 9;

const familyOf = (name: string): number | undefined =>
  UNIT_OF.get(name) ?? UNIT_OF.get(name.toLowerCase());

/** The ISO 4217 code of a currency, or null. */
const currencyOf = (unit: string | null): string | null =>
  CURRENCY_OF.get(familyOf(unit ?? '') ?? NaN) ?? null;

interface Figure {
  digits: string;
  negative: boolean;
  /** ISO 4217 code, or another unit as written. */
  unit: string | null;
}

const SIGN = String.raw`\p{Sc}|%|°[CF]|\p{L}{1,12}`;
const DIGITS = String.raw`(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d+)?`;
const FIGURE = new RegExp(
  String.raw`^(?<minus>\(|[-−–](?!.*[-−–]))?\+?\s?(?:(?<before>${SIGN})\.?)?\s?[-−–+]?\s?(?<digits>${DIGITS})\s?[-−–]?\s?(?:(?<after>${SIGN})\.?)?\s?[-−–]?\)?$`,
  'u',
);

/** Parses a figure with sign and unit, or returns null. */
function figureOf(cell: string): Figure | null {
  const groups = cell.length > MAX_VALUE_LENGTH ? undefined : FIGURE.exec(cell)?.groups;
  if (groups === undefined) return null;
  const { before, after, digits = '' } = groups;
  const currency = currencyOf(before ?? null) ?? currencyOf(after ?? null);
  const isKnown =
    (before === undefined || currencyOf(before) !== null) &&
    (after === undefined || familyOf(after) !== undefined);
  if (!isKnown) return null;
  return { digits, negative: /[-−–(]/u.test(cell), unit: currency ?? after ?? null };
}

type Mark = ',' | '.';

/** The decimal mark of a figure, or null if unknown. */
export function decimalMark(digits: string): Mark | null {
  const marks = digits.match(/[.,]/gu) ?? [];
  const last = marks.at(-1) as Mark | undefined;
  if (last === undefined) return null;
  if (new Set(marks).size > 1) return last;
  if (marks.length > 1) return last === ',' ? '.' : ',';
  return /^0?[.,]|[.,](?:\d{1,2}|\d{4,})$/u.test(digits) ? last : null;
}

/** A figure without grouping, with a decimal point. */
export const plainDigits = (digits: string, decimal: Mark): string =>
  digits.replace(decimal === ',' ? /[^\d,]/gu : /[^\d.]/gu, '').replace(',', '.');

const numberFrom = ({ digits, negative }: Figure, decimal: Mark): number =>
  Number(plainDigits(digits, decimal)) * (negative ? -1 : 1);

function majority<T>(values: readonly (T | null)[]): T | null {
  const groups = Map.groupBy(
    values.filter((value) => value !== null),
    (value) => value,
  );
  const [largest] = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return largest?.[0] ?? null;
}

const markIn = (figures: readonly (Figure | null)[]): Mark | null =>
  majority(figures.map((figure) => figure && decimalMark(figure.digits)));

export const decimalIn = (columns: readonly RawColumn[]): Mark | null =>
  markIn(columns.flatMap(({ cells }) => cells.map(figureOf)));

/** @param monthFirst how 03/04/2024 is read */
function dateIn(cell: string, monthFirst: boolean, languages: readonly string[]): string | null {
  if (cell.length > MAX_VALUE_LENGTH || !/\d/u.test(cell)) return null;
  const [mention, ...more] = findDates(cell, languages);
  if (mention === undefined || more.length > 0 || mention.day === null) return null;
  // 'wk 1 July' is a date, 'rent from 1 July' is not.
  const rest = cell.slice(0, mention.start) + cell.slice(mention.end);
  if (rest.replace(/[^\p{L}\d]/gu, '').length > BESIDE_DATE) return null;
  return isoOf(monthFirst ? { ...mention, swapped: undefined } : mention);
}

const DAY = '(?:1[3-9]|2\\d|3[01])';
const DAY_FIRST = new RegExp(`^${DAY}\\D\\d`, 'u');
const MONTH_FIRST = new RegExp(`^\\d{1,2}[/-]${DAY}\\D`, 'u');

/** Units that are also column names: 'Month'. */
const COLUMN_UNITS = new Set(['year', 'month', 'day', 'week', 'second'].map(familyOf));

/** The unit in a column name: 'Amount (GBP)', 'kg', 'miles return'. */
function unitIn(name: string): string | null {
  const words = name.match(/[\p{L}°]+|[%\p{Sc}]/gu) ?? [];
  const unit = words.find(
    (word) =>
      familyOf(word) !== undefined &&
      !COLUMN_UNITS.has(familyOf(word)) &&
      (word.length > 1 || words.length === 1 || /\p{Sc}/u.test(word) || name.includes(`(${word}`)),
  );
  return unit === undefined ? null : (currencyOf(unit) ?? unit.toLowerCase());
}

const MONEY = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ documents }) => documents?.money)})(?!\p{L})`,
  'iu',
);

/** Detects a column's type. `decimal` is used if its cells do not show the decimal mark. */
export function typeColumn(
  { name, cells }: RawColumn,
  decimal: Mark | null,
  languages: readonly string[],
): TypedColumn {
  const filled = cells.filter((cell) => cell !== '');
  const isMost = (values: readonly unknown[], of = filled): boolean =>
    values.length > 0 && values.length >= MAX_CELLS * of.length;
  // Invalid cells keep their text, so they do not look empty.
  const typed = (
    column: Omit<RecordColumn, 'name'>,
    valueOf: (cell: string) => string | number | null,
  ): TypedColumn => ({
    column: { name, ...column },
    values: cells.map((cell) => (cell === '' ? null : (valueOf(cell) ?? cell))),
  });
  const figures = filled.map(figureOf).filter((figure) => figure !== null);
  // 007 and 0041 are codes.
  const areCodes = figures.some(({ digits }) => /^0\d/u.test(digits));
  if (isMost(figures) && !areCodes) {
    const unit =
      majority(figures.map((figure) => currencyOf(figure.unit))) ??
      currencyOf(unitIn(name)) ??
      majority(figures.map((figure) => figure.unit)) ??
      unitIn(name);
    const mark = markIn(figures) ?? decimal ?? (languages[0] === 'en' ? '.' : ',');
    const isMoney = currencyOf(unit) !== null || (unit === null && MONEY.test(name));
    return typed({ type: isMoney ? 'amount' : 'number', unit }, (cell) => {
      const figure = figureOf(cell);
      return figure !== null && isOfUnit(figure, unit) ? numberFrom(figure, mark) : null;
    });
  }
  const monthFirst =
    filled.some((cell) => MONTH_FIRST.test(cell)) && !filled.some((cell) => DAY_FIRST.test(cell));
  const dateOf = memoize((cell: string) => dateIn(cell, monthFirst, languages));
  const probe = filled.slice(0, PROBED);
  const datesIn = (some: readonly string[]): string[] =>
    some.filter((cell) => dateOf(cell) !== null);
  return isMost(datesIn(probe), probe) && isMost(datesIn(filled))
    ? typed({ type: 'date', unit: null }, dateOf)
    : typed({ type: 'text', unit: null }, (cell) => cell);
}

/** Whether a figure has its column's unit. Dollars among euros do not. */
function isOfUnit({ unit }: Figure, columnUnit: string | null): boolean {
  if (unit === null) return true;
  if (columnUnit === null) return currencyOf(unit) === null;
  return familyOf(unit) === familyOf(columnUnit);
}
