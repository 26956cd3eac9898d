import { fold } from './fold.ts';
import { packOf } from './index.ts';
import type { Unit } from './language.ts';

/** The names of the twelve months, and of the days of the week, as some languages write them. */
export interface CalendarNames {
  /** The month that a name stands for, 1 to 12; 0 for what is none. */
  monthOf(name: string): number;
  /** The names of a month, 1 to 12, in full and short. */
  namesOf(month: number): readonly string[];
  /** Alternatives for a regular expression, longest first: names in full, and these with short ones. */
  full: string;
  any: string;
  weekday: string;
  /** The day that a name stands for, 0 for Sunday. */
  weekdayOf(name: string): number;
}

/** The names of one language: what they stand for, by an alternative of a regular expression. */
interface Names {
  full: Map<string, number>;
  short: Map<string, number>;
  weekdays: Map<string, number>;
}

const isName = (text: string): boolean => /^[\p{L}\p{M}' ]{3,}$/u.test(text);
const bent = (head: string): string => String.raw`${head}\p{L}{0,3}`;

function sharedHead(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a.slice(0, at);
}

/** The months of 2023 as a locale writes them. */
function monthsOf(locale: string, options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2023, month, 5));
    const name = parts.find(({ type }) => type === 'month')?.value ?? '';
    return name.toLowerCase().replace(/\.$/u, '');
  });
}

function makeNames(language: string): Names {
  const { time } = packOf(language);
  const names: Names = { full: new Map(), short: new Map(), weekdays: new Map() };
  const add = (into: Map<string, number>, name: string, value: number): void => {
    // A short name that two months share names neither.
    for (const form of new Set([name, fold(name)])) {
      if (isName(form) && !names.full.has(form) && !into.has(form)) into.set(form, value);
    }
  };
  for (const locale of [language, ...(time?.locales ?? [])]) {
    const alone = monthsOf(locale, { month: 'long' });
    const inDate = monthsOf(locale, { month: 'long', day: 'numeric' });
    const short = monthsOf(locale, { month: 'short', day: 'numeric' });
    for (const list of [alone, inDate]) list.forEach((name, i) => add(names.full, name, i + 1));
    short.forEach((name, i) => add(names.short, name, i + 1));
    // Where a month is called otherwise within a date, its name bends: the part that stays tells it.
    alone.forEach((name, i) => {
      const head = sharedHead(name, inDate[i] ?? name);
      if (inDate[i] !== name && isName(head)) names.full.set(bent(head), i + 1);
    });
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    for (let day = 0; day < 7; day += 1) {
      // The first of January 2023 was a Sunday.
      const name = weekday.format(Date.UTC(2023, 0, 1 + day)).toLowerCase();
      const ending = (time?.inflected ?? 0) > 1 ? bent(name.slice(0, -1)) : name;
      for (const form of [ending, fold(name)]) names.weekdays.set(form, day);
    }
  }
  for (const [name, month] of Object.entries(time?.months ?? {})) add(names.full, name, month);
  return names;
}

const byLanguage = new Map<string, Names>();
/** Sets of languages whose names are kept: what is made of them goes with them. */
const MAX_KEPT = 200;
const byLanguages = new Map<string, CalendarNames>();

function namesOf(language: string): Names | null {
  if (Intl.DateTimeFormat.supportedLocalesOf([language]).length === 0) return null;
  const names = byLanguage.get(language) ?? makeNames(language);
  byLanguage.set(language, names);
  return names;
}

const longestFirst = (names: Iterable<string>): string =>
  [...names].sort((a, b) => b.length - a.length).join('|');

/** What a name stands for: itself, or with another ending than in a dictionary. */
function reader(names: ReadonlyMap<string, number>, none: number): (name: string) => number {
  const bends = [...names].flatMap(([source, value]): [RegExp, number][] =>
    source.includes('\\') ? [[new RegExp(`^${source}$`, 'u'), value]] : [],
  );
  return (name) => {
    const small = name.toLowerCase();
    return names.get(small) ?? bends.find(([pattern]) => pattern.test(small))?.[1] ?? none;
  };
}

/** The names of months and days in the given languages (ISO 639-1); made once for each set. */
export function calendarNames(languages: readonly string[]): CalendarNames {
  const key = languages.join(' ');
  const known = byLanguages.get(key);
  if (known !== undefined) return known;
  const all = languages.flatMap((language) => namesOf(language) ?? []);
  // The first language that has a name says what it stands for.
  const merged = (maps: readonly Map<string, number>[]): Map<string, number> =>
    new Map(maps.toReversed().flatMap((map) => [...map]));
  const full = merged(all.map((names) => names.full));
  const any = merged(all.flatMap((names) => [names.full, names.short]));
  const weekdays = merged(all.map((names) => names.weekdays));
  const names: CalendarNames = {
    monthOf: reader(any, 0),
    namesOf: (month) =>
      [...any].flatMap(([name, own]) => (own === month && !name.includes('\\') ? [name] : [])),
    full: longestFirst(full.keys()),
    any: longestFirst(any.keys()),
    weekday: longestFirst(weekdays.keys()),
    weekdayOf: reader(weekdays, -1),
  };
  if (byLanguages.size >= MAX_KEPT) byLanguages.clear();
  byLanguages.set(key, names);
  return names;
}

const UNITS: readonly Unit[] = ['day', 'week', 'month', 'year'];
/** Numbers of every plural form of the languages there are. */
const COUNTS = [1, 2, 3, 5, 11, 100];

/** What a language says of a time from now, as the source of a regular expression. */
export interface RelativeTime {
  source: string;
  unit: Unit;
  /** How many whole units back, as 'last week' is; a number is its group `n` where this is null. */
  back: number | null;
  /** Whether it is all of so many units up to now, as 'the last 3 days' are, and not '3 days ago'. */
  some?: boolean;
}

const spaced = (text: string): string =>
  text.replace(/[\s\u00a0\u202f]+/gu, String.raw`\s`).replace(/['’]/gu, "['’]");

/** A word that may bend. */
const ending = (word: string, inflected: number): string =>
  inflected > 0 && word.length > 2
    ? bent(word.slice(0, Math.max(3, word.length - inflected)))
    : word;

/**
 * The names that `Intl` has for a unit (its identifier) in a language and its other locales, in small
 * letters, for the given numbers of it.
 */
export function intlUnitNames(language: string, unit: string, counts = COUNTS): Set<string> {
  const names = new Set<string>();
  for (const locale of [language, ...(packOf(language).time?.locales ?? [])]) {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    const parts = counts.flatMap((count) => format.formatToParts(count));
    for (const { type, value } of parts) {
      if (type === 'unit') names.add(value.trim().toLowerCase());
    }
  }
  return names;
}

/** The names of a unit of time for the given numbers of it, as alternatives of a regular expression. */
export function unitNames(
  language: string,
  unit: Unit | 'second' | 'minute' | 'hour',
  counts = COUNTS,
): string {
  const { time } = packOf(language);
  const more: Readonly<Record<string, string | undefined>> = time?.units ?? {};
  const names = new Set(more[unit]?.split('|'));
  for (const name of intlUnitNames(language, unit, counts)) {
    names.add(ending(name, time?.inflected ?? 0));
  }
  return [...names].join('|');
}

/** A phrase whose words may bend, its article left out. */
function phraseSource(phrase: string, inflected: number): string {
  const words = phrase.toLowerCase().split(/\s+/u);
  const bends = words.length > 1 ? inflected : 0;
  const source = words.map((word) => ending(word, bends)).join(' ');
  const article = words.length > 2 ? /^\p{L}{1,3} /u : /^\p{L}['’]/u;
  return spaced(source.replace(article, '(?:$&)?'));
}

/** '3 days ago', with the number as group `n`. */
function agoSources(language: string, unit: Unit, n: string): Set<string> {
  const counted = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const sources = COUNTS.map((count) => {
    const parts = counted.formatToParts(-count, unit);
    const at = parts.findIndex(({ type }) => type === 'integer');
    const said = (list: typeof parts): string =>
      spaced(
        list
          .map(({ value }) => value)
          .join('')
          .trim(),
      );
    const before = said(parts.slice(0, at));
    return at === -1
      ? ''
      : `${before && String.raw`${before}\s`}${n}\\s?${said(parts.slice(at + 1))}`;
  });
  return new Set(sources.filter((source) => source !== ''));
}

/** How a language (ISO 639-1) tells times from now, after `Intl` and its pack. */
export function relativeTimes(language: string): RelativeTime[] {
  const { time, numbers = '', one = '' } = packOf(language);
  const inflected = time?.inflected ?? 0;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const spelled = `${numbers} ${one}`.split(/[\s/]+/u).filter((word) => /\p{L}/u.test(word));
  const n = `(?<n>${[String.raw`\d{1,3}`, ...spelled].join('|')})`;
  return UNITS.flatMap((unit) => {
    const times: RelativeTime[] = [];
    const add = (source: string | undefined, back: number | null, some = false): void => {
      if (source !== undefined) times.push({ source, unit, back, some });
    };
    for (const back of unit === 'day' ? [0, 1, 2] : [0, 1]) {
      const phrase = relative.format(-back, unit);
      if (!/\d/u.test(phrase)) add(phraseSource(phrase, inflected), back);
      add(time?.phrases?.[`${unit} ${back}`], back);
    }
    for (const source of agoSources(language, unit, n)) add(source, null);
    const single = `(?:${unitNames(language, unit, [1])})`;
    for (const [back, word] of [time?.this, time?.last].entries()) {
      if (word === undefined || unit === 'day') continue;
      add(String.raw`(?:${word})\s?${single}|${single}\s(?:${word})`, back);
    }
    const [last, several] = [`(?:${time?.last})`, `(?:${unitNames(language, unit)})\\p{L}?`];
    if (time?.last !== undefined)
      add(String.raw`${last}\s?${n}\s?${several}|${n}\s${last}\s${several}`, null, true);
    return times;
  });
}
