import { currencyOf } from '../documents/cells.ts';
import { isoOf } from '../documents/day.ts';
import { findDates, mayNameDate } from '../scope/dates.ts';
import { SPELLED } from '../analysis/amounts.ts';

/** Something in a text that may change: an amount, a measure, a day, a time. */
export interface Value {
  /** Offsets in the text. */
  start: number;
  end: number;
  /** What may stand in its place: values of one kind have one unit. */
  unit: string;
  /** Equal for equal values, however they are written; a day of a known year is YYYY-MM-DD. */
  key: string;
}

const NUMBER = String.raw`\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?`;
const AMOUNT = new RegExp(
  String.raw`(?<sign>[€£$¥]|(?<!\p{L})(?:EUR|GBP|USD|CHF)(?=\s))\s?(?<money>${NUMBER})(?<scale>\s?(?:m|million|k)(?!\p{L}))?|(?<![\p{L}\p{N}.,/-])(?<number>${NUMBER})(?![\p{N}]|[.,/:-]\d)(?:\s?(?<unit>%|°\s?[CF]?|[€£$]|\p{L}[\p{L}/]{0,14}))?`,
  'gu',
);
const TIME = /(?<![\d:.,])(?:[01]?\d|2[0-3])[:.h][0-5]\d(?![\d:.]|\s?(?:€|£|%))/gu;
/** Numbers in words before what they count. */
const WORDS = /(?<![\p{L}-])(?:twenty-|thirty-)?(\p{L}{2,9})[ -](?=(\p{L}{3,14}))/giu;
const TENS: Readonly<Record<string, number>> = { 'twenty-': 20, 'thirty-': 30 };
/** A longer text holds no single statement. */
const LONGEST = 1000;

/** The values that a statement names, in its order. */
export function valuesOf(text: string, languages: readonly string[]): Value[] {
  const stretch = text.slice(0, LONGEST);
  const values: Value[] = [];
  const add = (value: Value): void => {
    const free = !values.some((other) => value.start < other.end && other.start < value.end);
    if (free) values.push(value);
  };
  if (/\d/u.test(stretch)) {
    const dates = mayNameDate(stretch, languages) ? findDates(stretch, languages) : [];
    for (const mention of dates) {
      const { start, end, year, months, day } = mention;
      if (months === null || day === null) continue;
      const key = year === null ? `${months[0]}-${day}` : (isoOf(mention) ?? '');
      add({ start, end, unit: 'date', key });
    }
    for (const match of stretch.matchAll(TIME)) {
      const end = match.index + match[0].length;
      add({ start: match.index, end, unit: 'time', key: match[0].replace(/\D/gu, ':') });
    }
    for (const match of stretch.matchAll(AMOUNT)) add(amountOf(match));
  }
  for (const match of stretch.matchAll(WORDS)) {
    const number = SPELLED.get((match[1] ?? '').toLowerCase());
    if (number === undefined) continue;
    const tens = TENS[/^(?:twenty-|thirty-)/iu.exec(match[0])?.[0].toLowerCase() ?? ''] ?? 0;
    const end = match.index + match[0].length + (match[2]?.length ?? 0);
    add({
      start: match.index,
      end,
      unit: singular(match[2] ?? ''),
      key: String(Number(number) + tens),
    });
  }
  return values.sort((a, b) => a.start - b.start);
}

function amountOf(match: RegExpExecArray): Value {
  const { sign, money, scale = '', number = '', unit: after = '' } = match.groups ?? {};
  const start = match.index;
  if (money !== undefined && sign !== undefined) {
    const factor = /^\s?m/iu.test(scale) ? 1e6 : scale.trim() === 'k' ? 1000 : 1;
    const key = String(numberOf(money) * factor);
    return { start, end: start + match[0].length, unit: currencyOf(sign) ?? sign, key };
  }
  const unit = currencyOf(after) ?? singular(after.replace(/\s/gu, ''));
  return { start, end: start + match[0].length, unit, key: String(numberOf(number)) };
}

/** '1,250.50', '1.250,50' and '1 250' by their last sign: three digits behind it are a group. */
function numberOf(text: string): number {
  const bare = text.replace(/['’\u00a0\u202f ]/gu, '');
  const decimals = /[.,](\d{1,2})$/u.exec(bare);
  const whole = (decimals === null ? bare : bare.slice(0, decimals.index)).replace(/[.,]/gu, '');
  // '0.125': a group never follows a nought.
  if (/^0[.,]\d+$/u.test(bare)) return Number(bare.replace(',', '.'));
  return Number(decimals === null ? whole : `${whole}.${decimals[1]}`);
}

const singular = (unit: string): string => unit.toLowerCase().replace(/(?<=\p{L}{2})s$/u, '');
