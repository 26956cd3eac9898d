import { fold } from './fold.ts';
import { packOf } from './index.ts';
import type { Unit } from './language.ts';
import { memoize } from '../memoize.ts';

export type CalendarNames = ReturnType<typeof makeNames>;

const isName = (text: string): boolean => /^[\p{L}\p{M}' ]{3,}$/u.test(text);

/** Month names of a locale. */
function monthsOf(locale: string, options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2023, month, 5));
    const name = parts.find(({ type }) => type === 'month')?.value ?? '';
    return name.toLowerCase().replace(/\.$/u, '');
  });
}

function weekdaysOf(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 7].map((day) => format.format(Date.UTC(2023, 0, day)).toLowerCase());
}

type Names = Map<string, number>;

const longestFirst = (names: Iterable<string>): string =>
  [...names].sort((a, b) => b.length - a.length).join('|');

function makeNames(languages: readonly string[]) {
  const [full, any, weekdays] = [0, 0, 0].map(() => new Map<string, number>()) as [
    Names,
    Names,
    Names,
  ];
  // If a name is in several languages, the first one wins.
  const add = (into: Names, list: readonly string[], first: number): void =>
    list.forEach((name, index) => {
      for (const form of [name, fold(name)]) {
        if (isName(form) && !into.has(form)) into.set(form, first + index);
      }
    });
  for (const language of languages) {
    const { locales = [], months = '', weekdays: days = '' } = packOf(language).time ?? {};
    for (const locale of Intl.DateTimeFormat.supportedLocalesOf([language, ...locales])) {
      add(full, monthsOf(locale, { month: 'long' }), 1);
      add(full, monthsOf(locale, { month: 'long', day: 'numeric' }), 1);
      add(any, monthsOf(locale, { month: 'short', day: 'numeric' }), 1);
      add(weekdays, weekdaysOf(locale), 0);
    }
    add(full, months.split(' '), 1);
    add(weekdays, days.split(' '), 0);
  }
  for (const [name, month] of full) any.set(name, month);
  return {
    /** 1 to 12, or 0 for another word. */
    monthOf: (name: string): number => any.get(name.toLowerCase()) ?? 0,
    namesOf: (month: number): string[] =>
      [...any].flatMap(([name, number]) => (number === month ? name : [])),
    /** Regex alternatives, longest first: full names, and full and short ones. */
    full: longestFirst(full.keys()),
    any: longestFirst(any.keys()),
    weekday: longestFirst(weekdays.keys()),
    /** 0 for Sunday, or -1 for another word. */
    weekdayOf: (name: string): number => weekdays.get(name.toLowerCase()) ?? -1,
  };
}

const namesIn = memoize(
  (languages: string) => makeNames(languages.split(' ').filter(Boolean)),
  200,
);

export const calendarNames = (languages: readonly string[]): CalendarNames =>
  namesIn(languages.join(' '));

const COUNTS = [1, 2, 3, 5, 11, 100];

/** Unit names from `Intl` in a language and its other locales, in lower case. */
export function intlUnitNames(language: string, unit: string): Set<string> {
  const names = new Set<string>();
  for (const locale of [language, ...(packOf(language).time?.locales ?? [])]) {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    const parts = COUNTS.flatMap((count) => format.formatToParts(count));
    for (const { type, value } of parts) {
      if (type === 'unit') names.add(value.trim().toLowerCase());
    }
  }
  return names;
}

export const unitNames = (language: string, unit: Unit): string =>
  [...intlUnitNames(language, unit), packOf(language).time?.units?.[unit] ?? []].flat().join('|');

const toSource = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/\s+/gu, String.raw`\s?`)
    .replace(/['’]/gu, "['’]");

/** Names of the unit of time that is `back` units ago, such as 'yesterday' or 'last week'. */
export function relativeNames(language: string, unit: Unit, back: number): string[] {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const name = toSource(format.format(-back, unit));
  const more = packOf(language).time?.phrases?.[`${unit} ${back}`];
  return [/\d/u.test(name) ? [] : name, more ?? []].flat();
}

/** The singular and plural forms of '3 days ago', with a number pattern in place of the 3. */
export function agoPhrases(language: string, unit: Unit, number: string): string[] {
  const format = new Intl.RelativeTimeFormat(language);
  const phrases = COUNTS.flatMap((count) => {
    const phrase = toSource(format.format(-count, unit));
    return phrase.includes(`${count}`) ? phrase.replace(`${count}`, number) : [];
  });
  return [...new Set(phrases)];
}
