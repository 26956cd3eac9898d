import { calendarNames, intlUnitNames } from '../languages/calendar.ts';
import { allWords, alternatives, anyWord, LANGUAGES, UNSPACED } from '../languages/index.ts';
import { stopWords } from './languages.ts';

/** The languages whose dates and measures are read. */
const MEASURED = LANGUAGES.filter(({ time }) => time !== undefined);
const CODES = MEASURED.map(({ code }) => code);

/**
 * Families of units: what counts as one unit when two numbers are compared. Each by its name in the
 * packs, its name for `Intl` where that knows its words, and the signs that all languages write.
 */
const FAMILIES: readonly (readonly [name: string, intl: string, signs: string])[] = [
  ['second', 'second', 's sec'],
  ['minute', 'minute', 'min mins'],
  ['hour', 'hour', 'h hr hrs'],
  ['day', 'day', ''],
  ['week', 'week', ''],
  ['month', 'month', ''],
  ['quarter', '', ''],
  ['year', 'year', ''],
  ['thousand', '1000', 'k'],
  ['million', '1000000', 'mio mn'],
  ['billion', '1000000000', 'bn mrd'],
  ['trillion', '1000000000000', ''],
  ['percent', 'percent', '% pct'],
  ['mm', 'millimeter', 'mm'],
  ['cm', 'centimeter', 'cm'],
  ['m', 'meter', 'm'],
  ['km', 'kilometer', 'km'],
  ['mile', 'mile', 'mi'],
  ['foot', 'foot', 'ft'],
  ['inch', 'inch', ''],
  ['mg', '', 'mg'],
  ['g', 'gram', 'g'],
  ['kg', 'kilogram', 'kg'],
  ['ton', '', 't'],
  ['lb', '', 'lb lbs'],
  ['ml', 'milliliter', 'ml'],
  ['l', 'liter', 'l'],
  ['kb', 'kilobyte', 'kb'],
  ['mb', 'megabyte', 'mb'],
  ['gb', 'gigabyte', 'gb'],
  ['tb', 'terabyte', 'tb'],
  ['watt', '', 'w'],
  ['kw', '', 'kw'],
  ['kwh', '', 'kwh'],
  ['volt', '', 'v'],
  ['celsius', 'celsius', '°c celsius'],
  ['fahrenheit', 'fahrenheit', '°f fahrenheit'],
  ['euro', '', 'eur €'],
  ['dollar', '', 'usd $'],
  ['pound', '', 'gbp £'],
  ['franc', '', 'chf'],
  ['yuan', '', 'cny rmb 元'],
  ['yen', '', 'jpy ¥ 円'],
];

/** 'Thousand' and the like, as a language shortens numbers. */
const scaleNames = (scale: number): string[] =>
  MEASURED.flatMap(({ code }) => {
    const format = new Intl.NumberFormat(code, { notation: 'compact', compactDisplay: 'long' });
    return [1, 2, 5].flatMap((count) => {
      const parts = format.formatToParts(count * scale);
      // Some count in ten thousands: '100万'.
      const counts = parts.some(({ type, value }) => type === 'integer' && value === `${count}`);
      const names = parts.filter(({ type }) => type === 'compact');
      return counts ? names.map(({ value }) => value.toLowerCase()) : [];
    });
  });

function namesOf([name, intl, signs]: (typeof FAMILIES)[number]): string[] {
  const own = allWords(({ measures }) => measures?.[name]);
  const known = /^\d/u.test(intl)
    ? scaleNames(Number(intl))
    : CODES.flatMap((code) => (intl === '' ? [] : [...intlUnitNames(code, intl)]));
  // 'An', a French year, is none in '$20 an hour'.
  const common = stopWords('en');
  const rare = known.filter((each) => !common.has(each));
  return [...signs.split(' '), ...own, ...rare].filter((each) => each !== '');
}

/** Each is a thousand times the one before. */
const SCALES: readonly string[] = ['thousand', 'million', 'billion', 'trillion'];
const isScale = (unit: number | null): boolean =>
  unit !== null && SCALES.includes(FAMILIES[unit]?.[0] ?? '');

/** Whether two amounts may stand in each other's place: months and months, millions and billions. */
export const isSameKind = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit || (isScale(one.unit) && isScale(other.unit));

/** A family's position by the name of a unit; the first family that has a name keeps it. */
export const UNIT_OF: ReadonlyMap<string, number> = new Map(
  FAMILIES.flatMap((family, unit) =>
    namesOf(family).map((name) => [name, unit] as const),
  ).toReversed(),
);

const { weekday: WEEKDAY_SOURCES, weekdayOf } = calendarNames(CODES);

/** Days of the week by their names, from 0 for Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  WEEKDAY_SOURCES.split('|')
    .filter((name) => /^[\p{L}-]+$/u.test(name))
    .map((name) => [name, weekdayOf(name)] as const),
);

const MONTH_SOURCES = `${calendarNames(CODES).full}|${calendarNames(['en', 'de']).any}`;

/** Months by their names, from 1; short ones in English and German only, others are words, too. */
export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_SOURCES.split('|')
    .filter((name) => /^\p{L}+$/u.test(name))
    .map((name) => [name, calendarNames(CODES).monthOf(name)] as const),
);

const JOINED_UNITS = [...UNIT_OF.keys()]
  .filter((name) => UNSPACED.test(name))
  .sort((a, b) => b.length - a.length);
const AMOUNT = new RegExp(
  String.raw`(?<sign>[€$£¥])?\s?(?<![\p{L}\p{N}.,-])(?<number>\d+(?:[.,'’\u00a0\u202f]\d+)*)(?:[\s\u00a0-]{0,2}(?<unit>%|°[CF]|[€$£¥]|${JOINED_UNITS.join('|')}|\p{L}+\.?))?`,
  'giu',
);

/** Numbers in words, without those that are common words of another language ('due', 'once', 'sei'). */
export const SPELLED: ReadonlyMap<string, string> = new Map(
  MEASURED.flatMap(({ numbers = '' }) =>
    numbers.split(/\s+/u).flatMap((forms, value) =>
      forms
        .split('/')
        .filter((form) => /\p{L}/u.test(form))
        .map((form) => [form, String(value)] as const),
    ),
  ),
);

const SHORT_SUMS: Readonly<Record<string, string>> = { m: 'million', b: 'billion', t: 'trillion' };

export interface Amount {
  /** Digits alone, without what groups or divides them. */
  digits: string;
  /** Its family of units; null where none is known. */
  unit: number | null;
}

const digitsOf = (number: string): string =>
  number
    .replace(/[.,]0{1,2}$/u, '')
    .replace(/\D/gu, '')
    .replace(/^0+(?=\d)/u, '');

export function amountsOf(text: string): Amount[] {
  const plain = text.replace(/\p{L}+/gu, (name) => SPELLED.get(name.toLowerCase()) ?? name);
  return [...plain.matchAll(AMOUNT)].map(({ groups }) => {
    const after = (groups?.['unit'] ?? '').replace(/\.$/u, '').toLowerCase();
    const sign = groups?.['sign'];
    // '$5m' are millions, '5 m' metres.
    const name = sign === undefined ? after : (SHORT_SUMS[after] ?? after);
    const unit = UNIT_OF.get(name) ?? UNIT_OF.get(sign ?? '') ?? null;
    return { digits: digitsOf(groups?.['number'] ?? ''), unit };
  });
}

/** Of the numbers that are given in thousands, millions and the like, what they come to: 1.2 as 1200000. */
export function scaledNumbers(text: string): Map<string, string> {
  const scaled = new Map<string, string>();
  for (const { groups } of text.matchAll(AMOUNT)) {
    const after = (groups?.['unit'] ?? '').replace(/\.$/u, '').toLowerCase();
    const name = groups?.['sign'] === undefined ? after : (SHORT_SUMS[after] ?? after);
    const scale = SCALES.indexOf(FAMILIES[UNIT_OF.get(name) ?? -1]?.[0] ?? '');
    const number = groups?.['number'] ?? '';
    const [value = ''] = numberValues(number);
    if (scale >= 0) scaled.set(number, String(Math.round(Number(value) * 1000 ** (scale + 1))));
  }
  return scaled;
}

const EACH = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${anyWord(({ small }) => small?.each)})[\s\u00a0]|\/\s?)(?<unit>\p{L}+)`,
  'giu',
);
const PERIODS = new Map(MEASURED.flatMap(({ periods }) => Object.entries(periods ?? {})));

/** The families of units of which something is said for each: of the week in '20 cents a week'. */
export function ratesOf(text: string): Set<number> {
  const names = [
    ...[...text.matchAll(EACH)].map(({ groups }) => groups?.['unit'] ?? ''),
    ...(text.match(/\p{L}+/gu) ?? []).map((name) => PERIODS.get(name.toLowerCase()) ?? ''),
  ];
  return new Set(names.flatMap((name) => UNIT_OF.get(name.toLowerCase()) ?? []));
}

const OF = `(?:${alternatives(({ time }) => time?.of)})?`;
const DAY_FIRST = new RegExp(
  String.raw`(?<!\p{N})(\d{1,2})(?:\p{L}{2}|º)?\.?\s+${OF}(${[...MONTHS.keys()].join('|')})(?!\p{L})`,
  'giu',
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})(${[...MONTHS.keys()].join('|')})\.?\s+(\d{1,2})(?:\p{L}{2})?(?![\p{N}])`,
  'giu',
);

/** Days of months, such as '3-5' for 3 May, under each reading of a date in figures. */
export function daysOf(text: string): Set<string> {
  const days = new Set<string>();
  const add = (day: string, month: number): void => void days.add(`${Number(day)}-${month}`);
  for (const [, day = '', name = ''] of text.matchAll(DAY_FIRST))
    add(day, MONTHS.get(name.toLowerCase()) ?? 0);
  for (const [, name = '', day = ''] of text.matchAll(MONTH_FIRST))
    add(day, MONTHS.get(name.toLowerCase()) ?? 0);
  for (const [, month = '', day = ''] of text.matchAll(/(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)/gu))
    add(day, Number(month));
  for (const [, one = '', two = ''] of text.matchAll(
    /(?<![\d.,/])(\d{1,2})[./](\d{1,2})[./](?:\d{4}|\d{2})(?!\d)/gu,
  )) {
    add(one, Number(two));
    add(two, Number(one));
  }
  // '12.03.' without a year is written so in German.
  for (const [, day = '', month = ''] of text.matchAll(
    /(?<![\d.])(\d{1,2})\.\s?(0?[1-9]|1[0-2])\.(?!\s?\d)/gu,
  ))
    add(day, Number(month));
  for (const [, month = '', day = ''] of text.matchAll(/(\d{1,2})月(\d{1,2})日/gu))
    add(day, Number(month));
  return days;
}

/** The spellings under which a number is looked up; both where a point may group or divide. */
export function numberValues(raw: string): string[] {
  const values: string[] = [];
  if (/^\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+(?:\.\d+)?$/u.test(raw)) {
    values.push(raw.replace(/[^\d.]/gu, ''));
  }
  if (/^\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?$/u.test(raw)) {
    values.push(raw.replace(/[^\d,]/gu, '').replace(',', '.'));
  }
  if (/^\d+(?:[.,]\d+)?$/u.test(raw)) values.push(raw.replace(',', '.'));
  if (values.length === 0) values.push(raw);
  return values.map((value) => {
    const plain = /^\d+\.\d+$/u.test(value) ? value.replace(/\.0+$|(?<!0)0+$/u, '') : value;
    return plain.replace(/^0+(?=\d)/u, '');
  });
}

export const NUMBER = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])|\d+(?:[.,'’]\d+)*/gu;

/** A month is no amount: 'August' does not hold eight hours, but does hold 2024-08. */
export const monthValue = (month: number): string => `month ${month}`;

const TIME =
  /(?<![\d.:,])(\d{1,2})(?:(?::|h(?=\d)|\.(?=\d{2}\s?(?:uhr|h|a\.?m|p\.?m)(?!\p{L})))(\d{2})(?![\d:])\s?(a\.?m|p\.?m)?|\s?(a\.?m|p\.?m|uhr|h))(?![\p{L}\d])/giu;

/** The times of day that a text tells: where, and in minutes since midnight under each reading. */
export function timesOf(text: string): { start: number; end: number; minutes: number[] }[] {
  return [...text.matchAll(TIME)].flatMap(
    ({ 0: whole, 1: hour = '', 2: minute, 3: half, 4: mark, index }) => {
      const said = (half ?? mark ?? '').toLowerCase();
      const [hours, past] = [Number(hour), Number(minute ?? 0)];
      // '3 h' is as often how long something takes.
      if (hours > 24 || past > 59 || (minute === undefined && said === 'h')) return [];
      const at = (hours % 12) * 60 + past;
      const minutes = said.startsWith('p')
        ? [at + 720]
        : said.startsWith('a')
          ? [at]
          : // '2:30' may be in the afternoon, '02:30' and '14:30' are what they say.
            hours > 12 || hour.startsWith('0') || said !== ''
            ? [(hours % 24) * 60 + past]
            : [at, at + 720];
      return [{ start: index, end: index + whole.length, minutes }];
    },
  );
}

/** All numbers of a text, each in its spellings. */
export function numbersOf(text: string): Set<string> {
  const numbers = new Set<string>(scaledNumbers(text).values());
  for (const [raw] of text.matchAll(NUMBER)) {
    for (const value of numberValues(raw)) numbers.add(value);
    // 01.05.2024 and 1.2.3 are found by their parts, 1,800 only as a whole.
    if (/[.,]\d+[.,]/u.test(raw) && !/[.,]\d{3}[.,]/u.test(raw)) {
      for (const part of raw.match(/\d+/gu) ?? []) numbers.add(part.replace(/^0+(?=\d)/u, ''));
    }
  }
  // A day may be written '12.03.' as well as '12 March', an hour '9.30 Uhr' as well as '9:30'.
  for (const [day = '', month = ''] of [...daysOf(text)].map((date) => date.split('-'))) {
    for (const value of [`${day}.${month}`, `${day}.${month.padStart(2, '0')}`]) numbers.add(value);
    for (const value of [day, monthValue(Number(month))]) numbers.add(value);
  }
  for (const { minutes } of timesOf(text)) {
    const past = String((minutes[0] ?? 0) % 60);
    for (const each of minutes) {
      const hour = Math.floor(each / 60);
      for (const value of numberValues(`${hour}.${past.padStart(2, '0')}`)) numbers.add(value);
      for (const value of [hour, hour % 12 || 12]) numbers.add(String(value));
    }
    numbers.add(past);
  }
  return numbers;
}
