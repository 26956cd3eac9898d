import { UNIT_OF } from '../analysis/amounts.ts';
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

const CURRENCIES: Readonly<Record<string, string>> = {
  '£': 'GBP',
  '€': 'EUR',
  $: 'USD',
  '¥': 'JPY',
  '₹': 'INR',
  zł: 'PLN',
  kč: 'CZK',
  fr: 'CHF',
  euro: 'EUR',
  euros: 'EUR',
};
const CODES = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY NOK NZD PLN SEK TRY USD ZAR'.split(
  ' ',
);
const CURRENCY = new RegExp(
  String.raw`[£€$¥₹]|(?<!\p{L})(?:${CODES.join('|')}|zł|Kč|Fr)(?!\p{L})\.?`,
  'u',
);

/** The code of a currency by its sign, name or code; null for anything else. */
export const currencyOf = (sign: string): string | null =>
  CURRENCIES[sign.toLowerCase().replace(/\.$/u, '')] ??
  (CODES.includes(sign.toUpperCase()) ? sign.toUpperCase() : null);

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
  const known = unit === '' || unit === '%' || UNIT_OF.has(unit.toLowerCase().replace(/\.$/u, ''));
  if (!known && !/^(?:DR|CR|[SH])$/u.test(unit)) return null;
  const plain = inner.slice(0, inner.length - unit.length).trim();
  const negative = bracketed || /^[-−–]|[-−–]$/u.test(plain) || /^(?:DR|S)$/u.test(unit);
  const digits = plain.replace(/^[-−–+]\s?|\s?[-−–+]$/gu, '');
  if (!DIGITS.test(digits)) return null;
  return {
    digits,
    negative,
    unit: unit === '' || !known ? null : unit.replace(/\.$/u, ''),
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
  if (/^0?[.,]|[.,](?:\d{1,2}|\d{4,})$/u.test(digits)) return last;
  return null;
}

function numberFrom({ digits, negative }: Figure, decimal: Mark): number | null {
  const whole = digits.replace(/['’ \u00a0\u202f]/gu, '');
  const plain =
    decimal === ',' ? whole.replaceAll('.', '').replace(',', '.') : whole.replaceAll(',', '');
  const value = Number(plain);
  if (!Number.isFinite(value)) return null;
  return negative ? -value : value;
}

const majority = <T>(values: readonly T[]): T | null => {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
};

/** The sign before the decimals in most figures of some columns. */
export const decimalIn = (columns: readonly RawColumn[]): Mark | null =>
  majority(
    columns.flatMap(({ cells }) =>
      cells.flatMap((cell) => {
        const figure = figureOf(cell);
        return (figure === null ? null : decimalMark(figure.digits)) ?? [];
      }),
    ),
  );

const IN_FIGURES =
  /^(\d{1,4})([-./])(\d{1,2})\2(\d{2}|\d{4})(?:[ T,]+\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?$/u;
const NAMED = /^(?=[^\d]{0,20}\d)[\p{L}\d .,/-]{4,32}$/u;

type Order = 'ymd' | 'dmy' | 'mdy';

const isoDate = (year: number, month: number, day: number): string | null => {
  const full = year < 100 ? 2000 + year : year;
  const last = new Date(Date.UTC(full, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > last) return null;
  return `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
};

function dateFrom(cell: string, order: Order, languages: readonly string[]): string | null {
  const match = IN_FIGURES.exec(cell);
  if (match !== null) {
    const [first, second, third] = [1, 3, 4].map((at) => Number(match[at])) as [
      number,
      number,
      number,
    ];
    if (match[1]?.length === 4) return isoDate(first, second, third);
    if ((match[1] ?? '').length > 2) return null;
    return order === 'mdy' ? isoDate(third, first, second) : isoDate(third, second, first);
  }
  if (!NAMED.test(cell) || !/\p{L}{3}/u.test(cell)) return null;
  const [mention, ...more] = findDates(cell, languages);
  if (mention === undefined || more.length > 0 || mention.day === null) return null;
  // 'wk 1 July' is a day, 'rent from 1 July' is none.
  const rest = cell.slice(0, mention.start) + cell.slice(mention.end);
  return rest.replace(/[^\p{L}\d]/gu, '').length > 9 ? null : isoOf(mention);
}

/** Whether days or months stand first: what no month can be decides, else the order of the rows. */
function orderOf(cells: readonly string[]): Order {
  const pairs = cells.flatMap((cell) => {
    const match = IN_FIGURES.exec(cell);
    return match === null || match[1]?.length === 4 ? [] : [[Number(match[1]), Number(match[3])]];
  });
  if (pairs.length === 0) return 'dmy';
  if (pairs.some(([first = 0]) => first > 12)) return 'dmy';
  if (pairs.some(([, second = 0]) => second > 12)) return 'mdy';
  const falls = (order: Order): number => {
    let count = 0;
    let last = '';
    for (const cell of cells) {
      const date = dateFrom(cell, order, []) ?? last;
      if (date < last) count += 1;
      last = date;
    }
    return Math.min(count, cells.length - count);
  };
  return falls('mdy') < falls('dmy') ? 'mdy' : 'dmy';
}

/** What names of columns say of their figures: 'Amount (GBP)', 'kg', 'miles return'. */
function unitIn(name: string): { unit: string | null; currency: string | null } {
  const sign = CURRENCY.exec(name)?.[0];
  const currency = sign === undefined ? null : currencyOf(sign);
  if (currency !== null) return { unit: null, currency };
  const words = name.toLowerCase().match(/[\p{L}°%]+/gu) ?? [];
  const unit = words.find(
    (word) =>
      UNIT_OF.has(word) &&
      !NO_UNITS.has(word) &&
      (word.length > 1 || words.length === 1 || name.includes(`(${word}`)),
  );
  return { unit: unit ?? null, currency: unit === undefined ? null : currencyOf(unit) };
}

/** Names of columns that only say which one is meant. */
const NO_UNITS = new Set([
  'year',
  'month',
  'day',
  'week',
  'second',
  'jahr',
  'monat',
  'tag',
  'woche',
  'no',
]);

const MONEY =
  /(?<!\p{L})(?:amount|fee|price|cost|total|paid|balance|debit|credit|owes?|net|gross|betrag|preis|kosten|summe|saldo|soll|haben|montant|prix|valor|importe|importo|prezzo|débito|crédito|débit|crédit)(?!\p{L})/iu;

/** Types a column by all of its cells; figures are read with `decimal` where its own do not tell. */
export function typeColumn(
  { name, cells }: RawColumn,
  decimal: Mark | null,
  languages: readonly string[],
): TypedColumn {
  const filled = cells.filter((cell) => cell !== '');
  const text: TypedColumn = {
    column: { name, type: 'text', unit: null },
    values: cells.map((cell) => (cell === '' ? null : cell)),
  };
  if (filled.length === 0) return text;
  const enough = (count: number): boolean => count >= MOST_CELLS * filled.length;
  const figures = cells.map(figureOf);
  const read = figures.filter((figure) => figure !== null);
  // 007 and 0041 are names of something.
  const isCode = read.some(({ digits }) => /^0\d/u.test(digits));
  if (
    enough(read.length) &&
    !isCode &&
    !enough(filled.filter((cell) => IN_FIGURES.test(cell)).length)
  ) {
    const own = majority(read.flatMap(({ digits }) => decimalMark(digits) ?? []));
    const named = unitIn(name);
    const currency = majority(read.flatMap((figure) => figure.currency ?? [])) ?? named.currency;
    const unit = currency ?? majority(read.flatMap((figure) => figure.unit ?? [])) ?? named.unit;
    const isMoney = currency !== null || (unit === null && MONEY.test(name));
    const mark = own ?? decimal ?? (isMoney ? thousands(read) : null) ?? usualMark(languages);
    const valueOf = (figure: Figure | null): number | null =>
      figure === null || !isOfUnit(figure, { currency, unit }) ? null : numberFrom(figure, mark);
    return {
      column: { name, type: isMoney ? 'amount' : 'number', unit },
      values: figures.map((figure, i) => valueOf(figure) ?? asWritten(cells[i])),
    };
  }
  // Only where the first cells are dates, the others are read as such.
  const probe = filled.slice(0, 20);
  const order = orderOf(filled.slice(0, 2000));
  const few = probe.filter((cell) => dateFrom(cell, order, languages) !== null).length;
  if (few < MOST_CELLS * probe.length) return text;
  const dates = cells.map((cell) => (cell === '' ? null : dateFrom(cell, order, languages)));
  return enough(dates.filter((date) => date !== null).length)
    ? {
        column: { name, type: 'date', unit: null },
        values: dates.map((date, i) => date ?? asWritten(cells[i])),
      }
    : text;
}

/** A cell that its column's type does not read: it stays, so that nobody takes it for an empty one. */
const asWritten = (cell = ''): string | null => (cell === '' ? null : cell);

/** Amounts have no three decimals: what parts 1.234 parts thousands. */
function thousands(figures: readonly Figure[]): Mark | null {
  const sign = majority(figures.flatMap(({ digits }) => (/[.,]/u.exec(digits)?.[0] as Mark) ?? []));
  if (sign === null) return null;
  return sign === ',' ? '.' : ',';
}

const usualMark = ([first = 'en']: readonly string[]): Mark => (first === 'en' ? '.' : ',');

/** Whether a figure counts what its column does: 5 dollars among euros do not, nor grams among kilos. */
function isOfUnit(
  figure: Figure,
  { currency, unit }: { currency: string | null; unit: string | null },
): boolean {
  if (figure.currency !== null) return figure.currency === currency;
  if (figure.unit === null || unit === null || currency !== null) return true;
  const same = (name: string): string => name.toLowerCase();
  return (
    same(figure.unit) === same(unit) || UNIT_OF.get(same(figure.unit)) === UNIT_OF.get(same(unit))
  );
}

/** An amount or a number that stands in running text, with its currency; null where there is none. */
export function amountIn(text: string): { value: number; currency: string | null } | null {
  const match =
    /(?<!\p{N})[-−–(]?\s?(?:[£€$¥]|[A-Z]{3}\s)?\s?[-−–]?\d[\d.,'’ \u00a0\u202f]{0,20}(?:\s?(?:[£€$¥]|(?:EUR|GBP|USD|CHF|[Ee]uros?)(?!\p{L})))?/u.exec(
      text,
    )?.[0] ?? '';
  const cleaned = (/^.*[^.,'’\s]/u.exec(match)?.[0] ?? '').trim();
  const figure = figureOf(cleaned);
  if (figure === null) return null;
  const value = numberFrom(figure, decimalMark(figure.digits) ?? '.');
  return value === null ? null : { value, currency: figure.currency };
}

/** A day that stands in running text, as YYYY-MM-DD; null where there is none. */
export function dateIn(text: string, languages: readonly string[]): string | null {
  const found = findDates(text.slice(0, 80), languages).find(
    ({ day, year }) => day !== null && year !== null,
  );
  return found === undefined ? null : isoOf(found);
}
