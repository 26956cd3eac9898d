import { CURRENCY_CODES, CURRENCY_OF, UNIT_OF } from '../analysis/amounts.ts';
import { alternatives } from '../languages/index.ts';
import { findDates } from '../scope/dates.ts';
import { isoOf } from './day.ts';
import type { RecordColumn } from './document.ts';

/** A column as its table has it: what names it, and its cells, empty ones as ''. */
export interface RawColumn {
  name: string;
  cells: readonly string[];
}

export interface TypedColumn {
  column: RecordColumn;
  values: (string | number | null)[];
}

/** A cell that is longer is text. */
const LONGEST_VALUE = 40;
/** The share of a column's filled cells that must be of its type. */
const MOST_CELLS = 0.8;

const CURRENCY = new RegExp(
  String.raw`[£€$¥₹]|(?<!\p{L})(?:${CURRENCY_CODES.join('|')}|zł|Kč|Fr)(?!\p{L})\.?`,
  'u',
);

/** The code of a currency by its sign, name or code; null for anything else. */
function currencyOf(sign: string): string | null {
  const name = sign.replace(/\.$/u, '');
  return CURRENCY_OF.get(UNIT_OF.get(name) ?? UNIT_OF.get(name.toLowerCase()) ?? NaN) ?? null;
}

const familyOf = (unit: string | null): unknown => UNIT_OF.get((unit ?? '').toLowerCase());

const DIGITS = /^(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d+)?$/u;

interface Figure {
  digits: string;
  negative: boolean;
  unit: string | null;
  currency: string | null;
}

/** A cell as a figure with its sign and what it counts; null where it is none. */
function figureOf(cell: string): Figure | null {
  if (cell.length > LONGEST_VALUE || !/\d/u.test(cell)) return null;
  const sign = CURRENCY.exec(cell)?.[0] ?? '';
  const bare = cell.replace(sign, ' ').trim();
  const bracketed = /^\(.*\)$/u.test(bare);
  const inner = (bracketed ? bare.slice(1, -1) : bare).trim();
  const unit = /(?<=\d\s?)(?:%|°[CF]|\p{L}{1,12}\.?)$/u.exec(inner)?.[0] ?? '';
  const name = unit.replace(/\.$/u, '');
  if (unit !== '' && familyOf(name) === undefined) return null;
  const plain = inner.slice(0, inner.length - unit.length).trim();
  const digits = plain.replace(/^[-−–+]\s?|\s?[-−–+]$/gu, '');
  if (!DIGITS.test(digits)) return null;
  return {
    digits,
    negative: bracketed || /^[-−–]|[-−–]$/u.test(plain),
    unit: name === '' ? null : name,
    currency: sign === '' ? null : currencyOf(sign),
  };
}

type Mark = ',' | '.';

/** Which sign stands before the decimals, as far as a figure tells; null where it may be either. */
function decimalMark(digits: string): Mark | null {
  const signs = digits.match(/[.,]/gu) ?? [];
  const last = signs.at(-1) as Mark | undefined;
  if (last === undefined) return null;
  if (new Set(signs).size > 1) return last;
  if (signs.length > 1) return last === ',' ? '.' : ',';
  return /^0?[.,]|[.,](?:\d{1,2}|\d{4,})$/u.test(digits) ? last : null;
}

function numberFrom({ digits, negative }: Figure, decimal: Mark): number {
  const whole = digits.replace(/['’ \u00a0\u202f]/gu, '');
  const plain =
    decimal === ',' ? whole.replaceAll('.', '').replace(',', '.') : whole.replaceAll(',', '');
  return Number(plain) * (negative ? -1 : 1);
}

const majority = <T>(values: readonly T[]): T | null => {
  const [most] = [...Map.groupBy(values, (value) => value)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  return most?.[0] ?? null;
};

const marksIn = (figures: readonly (Figure | null)[]): Mark[] =>
  figures.flatMap((figure) => (figure === null ? null : decimalMark(figure.digits)) ?? []);

/** The sign before the decimals in most figures of some columns. */
export const decimalIn = (columns: readonly RawColumn[]): Mark | null =>
  majority(columns.flatMap(({ cells }) => marksIn(cells.map(figureOf))));

const IN_FIGURES =
  /^(\d{1,2}|\d{4})([-./])(\d{1,2})\2(\d{2}|\d{4})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?$/u;
const NAMED = /^(?=[^\d]{0,20}\d)(?=.*\p{L}{3})[\p{L}\d .,/-]{4,32}$/u;

function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay ? date.toISOString().slice(0, 10) : null;
}

/** @param monthFirst how 03/04/2024 is read */
function dateFrom(cell: string, monthFirst: boolean, languages: readonly string[]): string | null {
  const match = IN_FIGURES.exec(cell);
  if (match !== null) {
    const [first = 0, second = 0, third = 0] = [1, 3, 4].map((at) => Number(match[at]));
    if (match[1]?.length === 4) return isoDate(first, second, third);
    return monthFirst ? isoDate(third, first, second) : isoDate(third, second, first);
  }
  if (!NAMED.test(cell)) return null;
  const [mention, ...more] = findDates(cell, languages);
  if (mention === undefined || more.length > 0 || mention.day === null) return null;
  // 'wk 1 July' is a day, 'rent from 1 July' is none.
  const rest = cell.slice(0, mention.start) + cell.slice(mention.end);
  return rest.replace(/[^\p{L}\d]/gu, '').length > 9 ? null : isoOf(mention);
}

/** What names of columns say of their figures: 'Amount (GBP)', 'kg', 'miles return'. */
function unitIn(name: string): string | null {
  const sign = CURRENCY.exec(name)?.[0];
  if (sign !== undefined) return currencyOf(sign);
  const words = name.toLowerCase().match(/[\p{L}°%]+/gu) ?? [];
  const unit = words.find(
    (word) =>
      UNIT_OF.has(word) &&
      !COLUMN_UNITS.has(UNIT_OF.get(word)) &&
      (word.length > 1 || words.length === 1 || name.includes(`(${word}`)),
  );
  return unit === undefined ? null : (currencyOf(unit) ?? unit);
}

/** Units whose names are names of columns themselves: 'Month'. */
const COLUMN_UNITS = new Set(
  ['year', 'month', 'day', 'week', 'second'].map((name) => UNIT_OF.get(name)),
);

const MONEY = new RegExp(
  String.raw`(?<!\p{L})(?:${alternatives(({ documents }) => documents?.money)})(?!\p{L})`,
  'iu',
);

/** Types a column by all of its cells; figures are read with `decimal` where its own do not tell. */
export function typeColumn(
  { name, cells }: RawColumn,
  decimal: Mark | null,
  languages: readonly string[],
): TypedColumn {
  const filled = cells.filter((cell) => cell !== '');
  // A cell that its column's type does not read stays, so that nobody takes it for an empty one.
  const asWritten = cells.map((cell) => (cell === '' ? null : cell));
  const enough = (count: number): boolean => count > 0 && count >= MOST_CELLS * filled.length;
  const figures = cells.map(figureOf);
  const read = figures.filter((figure) => figure !== null);
  // 007 and 0041 are names of something.
  const isCode = read.some(({ digits }) => /^0\d/u.test(digits));
  const inFigures = filled.filter((cell) => IN_FIGURES.test(cell));
  if (enough(read.length) && !isCode && !enough(inFigures.length)) {
    const named = unitIn(name);
    const currency =
      majority(read.flatMap((figure) => figure.currency ?? [])) ?? currencyOf(named ?? '');
    const unit = currency ?? majority(read.flatMap((figure) => figure.unit ?? [])) ?? named;
    const mark = majority(marksIn(read)) ?? decimal ?? (languages[0] === 'en' ? '.' : ',');
    const isMoney = currency !== null || (unit === null && MONEY.test(name));
    return {
      column: { name, type: isMoney ? 'amount' : 'number', unit },
      values: figures.map((figure, i) =>
        figure !== null && isOfUnit(figure, unit, currency)
          ? numberFrom(figure, mark)
          : (asWritten[i] ?? null),
      ),
    };
  }
  // What no month can be decides whether months stand first.
  const monthFirst =
    !inFigures.some((cell) => Number(IN_FIGURES.exec(cell)?.[1]) > 12) &&
    inFigures.some((cell) => Number(IN_FIGURES.exec(cell)?.[3]) > 12);
  const dateOf = (cell: string): string | null => dateFrom(cell, monthFirst, languages);
  // Only where the first cells are dates, the others are read as such.
  const probe = filled.slice(0, 20);
  const isProbed =
    probe.filter((cell) => dateOf(cell) !== null).length >= MOST_CELLS * probe.length;
  const dates = isProbed ? cells.map(dateOf) : [];
  return enough(dates.filter((date) => date !== null).length)
    ? {
        column: { name, type: 'date', unit: null },
        values: dates.map((date, i) => date ?? asWritten[i] ?? null),
      }
    : { column: { name, type: 'text', unit: null }, values: asWritten };
}

/** Whether a figure counts what its column does: 5 dollars among euros do not, nor grams among kilos. */
function isOfUnit(figure: Figure, unit: string | null, currency: string | null): boolean {
  if (figure.currency !== null) return figure.currency === currency;
  if (figure.unit === null || unit === null || currency !== null) return true;
  return familyOf(figure.unit) === familyOf(unit);
}
