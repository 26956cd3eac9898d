import { calendarNames, intlUnitNames } from '../languages/calendar.ts';
import { allWords, LANGUAGES } from '../languages/index.ts';
import { stopWords } from './languages.ts';

export const MEASURED = LANGUAGES.filter(({ time }) => time !== undefined);
export const CODES = MEASURED.map(({ code }) => code);

/** Currency names in the packs, and signs, ISO 4217 first. The case of signs matters. */
const CURRENCIES: readonly (readonly [name: string, signs: string])[] = [
  ['euro', 'eur €'],
  ['dollar', 'usd $'],
  ['pound', 'gbp £'],
  ['franc', 'chf Fr'],
  ['yuan', 'cny rmb 元'],
  ['yen', 'jpy ¥ 円'],
  ['', 'inr ₹'],
  ['', 'pln zł'],
  ['', 'czk kč'],
  ...['aud', 'brl', 'cad', 'dkk', 'huf', 'nok', 'nzd', 'sek', 'TRY', 'zar'].map(
    (code) => ['', code] as const,
  ),
];

/** Unit families: name in the packs, name for `Intl`, signs in all languages. */
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
  ...CURRENCIES.map(([name, signs]) => [name, '', signs] as const),
];

/** Compact names such as 'thousand'. */
const scaleNames = (scale: number): string[] =>
  MEASURED.flatMap(({ code }) => {
    const format = new Intl.NumberFormat(code, { notation: 'compact', compactDisplay: 'long' });
    return [1, 2, 5].flatMap((count) => {
      const parts = format.formatToParts(count * scale);
      // Some languages count in ten thousands: '100万'.
      const counts = parts.some(({ type, value }) => type === 'integer' && value === `${count}`);
      const names = parts.filter(({ type }) => type === 'compact');
      return counts ? names.map(({ value }) => value.toLowerCase()) : [];
    });
  });

function namesOf([name, intl, signs]: (typeof FAMILIES)[number]): string[] {
  const words = allWords(({ measures }) => measures?.[name]);
  const known = /^\d/u.test(intl)
    ? scaleNames(Number(intl))
    : CODES.flatMap((code) => (intl === '' ? [] : [...intlUnitNames(code, intl)]));
  // 'An' is a year in French, but not in '$20 an hour'.
  const common = stopWords('en');
  const rare = known.filter((name) => !common.has(name));
  return [...signs.split(' '), ...words, ...rare].filter((name) => name !== '');
}

/** Position of a unit's family. The first family with a name wins. */
export const UNIT_OF: ReadonlyMap<string, number> = new Map(
  FAMILIES.flatMap((family, unit) =>
    namesOf(family).map((name) => [name, unit] as const),
  ).toReversed(),
);

export const CURRENCY_OF: ReadonlyMap<number, string> = new Map(
  CURRENCIES.map(([, signs], i) => [
    FAMILIES.length - CURRENCIES.length + i,
    signs.slice(0, 3).toUpperCase(),
  ]),
);

const { full, weekday, monthOf, weekdayOf } = calendarNames(CODES);

/** Values of one-word names. */
const byName = (sources: string, valueOf: (name: string) => number): ReadonlyMap<string, number> =>
  new Map(
    sources
      .split('|')
      .filter((name) => /^[\p{L}-]+$/u.test(name))
      .map((name) => [name, valueOf(name)]),
  );

export const WEEKDAYS = byName(weekday, weekdayOf);

/** Months from 1 by name. Short names only in English and German, because others are words. */
export const MONTHS = byName(`${full}|${calendarNames(['en', 'de']).any}`, monthOf);

/** Spelled numbers, without common words of other languages ('due', 'once', 'sei'). */
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
