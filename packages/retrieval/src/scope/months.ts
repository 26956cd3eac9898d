import { fold } from '../analysis/languages.ts';

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

/** Forms that `Intl` does not give: cases, other spellings, short names as people write them. */
const MORE_MONTHS: Readonly<Record<string, readonly string[]>> = {
  en: ['', '', '', '', '', '', '', '', 'sept'],
  de: ['jänner', 'feber', 'maerz'],
  ru: ['', '', '', '', 'мае'],
  ar: ['كانون الثاني', 'شباط', 'آذار', 'نيسان', 'أيار', 'حزيران', 'تموز', 'آب', 'أيلول'],
};
const MORE_WEEKDAYS: Readonly<Record<string, readonly string[]>> = {
  ru: ['воскресенье', '', '', 'среду', '', 'пятницу', 'субботу'],
};

/** Languages that bend the names of months: the part that stays tells them. */
const BENT = new Set(['ru', 'uk', 'be', 'pl', 'cs', 'sk', 'hr', 'sr', 'sl', 'lt', 'lv', 'fi']);

interface Names {
  months: Map<string, number>;
  full: Set<string>;
  short: Set<string>;
  /** What stays of a bent name. */
  heads: Map<string, number>;
  weekdays: Map<string, number>;
}

const MONTHS = Array.from({ length: 12 }, (_, month) => month);

function formatted(language: string, options: Intl.DateTimeFormatOptions): string[] {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return MONTHS.map((month) => {
    const parts = format.formatToParts(Date.UTC(2023, month, 5));
    return (parts.find(({ type }) => type === 'month')?.value ?? '')
      .toLowerCase()
      .replace(/\.$/u, '');
  });
}

const isName = (text: string): boolean => /^[\p{L}\p{M}' ]{3,}$/u.test(text);

const makeNames = (language: string): Names => {
  const names: Names = {
    months: new Map(),
    full: new Set(),
    short: new Set(),
    heads: new Map(),
    weekdays: new Map(),
  };
  const add = (name: string, month: number, set: Set<string>): void => {
    for (const form of new Set([name, fold(name)])) {
      // A short name that two months share names neither.
      if (!isName(form) || names.months.has(form)) continue;
      names.months.set(form, month + 1);
      set.add(form);
    }
  };
  const alone = formatted(language, { month: 'long' });
  const inDate = formatted(language, { month: 'long', day: 'numeric' });
  const short = formatted(language, { month: 'short', day: 'numeric' });
  for (const list of [alone, inDate]) list.forEach((name, i) => add(name, i, names.full));
  MORE_MONTHS[language]?.forEach((name, i) => {
    if (name !== '') add(name, i, name === 'sept' ? names.short : names.full);
  });
  short.forEach((name, i) => add(name, i, names.short));
  if (BENT.has(language)) {
    alone.forEach((name, i) => {
      const head = sharedHead(name, inDate[i] ?? name);
      if (isName(head)) names.heads.set(head, i + 1);
    });
  }
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  for (let day = 0; day < 7; day += 1) {
    // The first of January 2023 was a Sunday.
    const name = weekday.format(Date.UTC(2023, 0, 1 + day)).toLowerCase();
    for (const form of [name, fold(name), MORE_WEEKDAYS[language]?.[day] ?? '']) {
      if (form !== '') names.weekdays.set(form, day);
    }
  }
  return names;
};

function sharedHead(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a.slice(0, at);
}

const byLanguage = new Map<string, Names>();
/** Sets of languages whose names are kept: what is made of them goes with them. */
const MAX_KEPT = 200;
const byLanguages = new Map<string, CalendarNames>();

function namesOf(language: string): Names | null {
  let names = byLanguage.get(language);
  if (names === undefined) {
    if (Intl.DateTimeFormat.supportedLocalesOf([language]).length === 0) return null;
    names = makeNames(language);
    byLanguage.set(language, names);
  }
  return names;
}

const longestFirst = (names: Iterable<string>): string =>
  [...names].sort((a, b) => b.length - a.length).join('|');

/** The names of months and days in the given languages (ISO 639-1); made once for each set. */
export function calendarNames(languages: readonly string[]): CalendarNames {
  const key = languages.join(' ');
  const known = byLanguages.get(key);
  if (known !== undefined) return known;
  const months = new Map<string, number>();
  const heads = new Map<string, number>();
  const weekdays = new Map<string, number>();
  const full = new Set<string>();
  const short = new Set<string>();
  for (const names of languages.flatMap((language) => namesOf(language) ?? [])) {
    for (const [name, month] of names.months) if (!months.has(name)) months.set(name, month);
    for (const [name, day] of names.weekdays) if (!weekdays.has(name)) weekdays.set(name, day);
    for (const [head, month] of names.heads) heads.set(head, month);
    for (const name of names.full) full.add(name);
    for (const name of names.short) short.add(name);
  }
  const bent = [...heads.keys()].map((head) => String.raw`${head}\p{L}{1,3}`);
  const monthOf = (name: string): number => {
    const small = name.toLowerCase();
    const month = months.get(small);
    if (month !== undefined) return month;
    for (const [head, own] of heads) if (small.startsWith(head)) return own;
    return 0;
  };
  const names: CalendarNames = {
    monthOf,
    namesOf: (month) => [...full, ...short].filter((name) => months.get(name) === month),
    full: longestFirst([...full, ...bent]),
    any: longestFirst([...full, ...bent, ...short]),
    weekday: longestFirst(weekdays.keys()),
    weekdayOf: (name) => weekdays.get(name.toLowerCase()) ?? -1,
  };
  if (byLanguages.size >= MAX_KEPT) byLanguages.clear();
  byLanguages.set(key, names);
  return names;
}
