import { likelyLanguages, stopWords } from '../analysis/languages.ts';
import { calendarNames, relativeTimes } from '../languages/calendar.ts';
import type { RelativeTime } from '../languages/calendar.ts';
import { LANGUAGES, UNSPACED, wholeWords } from '../languages/index.ts';
import type { LanguagePack, Unit } from '../languages/language.ts';
import { addDays, dayAfter, dayOf, rangeOf, weekdayOf } from './calendar.ts';
import { findDates, isNoDate, timeWords } from './dates.ts';
import type { DateRange, Day } from './dates.ts';

/** What a question says of time, and the days it means. */
export interface DateReference {
  /** Offsets in the question. */
  start: number;
  end: number;
  range: DateRange;
  /** Told from the day it is asked on: 'last week' stands in no file. */
  relative: boolean;
  /** A stretch between two days, one of them perhaps today or any: no date that a file would name. */
  open: boolean;
  /** A day of the week: unlike 'last week' a word that stands in files. */
  weekday?: boolean;
}

type Resolve = (today: Day, amount: number) => DateRange;

const L = String.raw`(?<![\p{L}\p{N}])`;
const before = (source: string): RegExp => new RegExp(String.raw`${L}(?:${source})\s$`, 'iu');

function spanning(from: Day, to: Day): DateRange {
  return { from, to, grain: 'day', openYear: false };
}

/** The whole unit that began so many units before the one it is now. */
function unitBack(today: Day, unit: Unit, back: number): DateRange {
  const [year, month] = [Math.floor(today / 10_000), Math.floor(today / 100) % 100];
  if (unit === 'day') return spanning(addDays(today, -back), addDays(today, -back));
  if (unit === 'week') {
    const monday = addDays(today, -((weekdayOf(today) + 6) % 7) - 7 * back);
    return spanning(monday, addDays(monday, 6));
  }
  if (unit === 'year') {
    const own = year - back;
    return { from: dayOf(own, 1, 1), to: dayOf(own, 12, 31), grain: 'year', openYear: false };
  }
  const months = year * 12 + month - 1 - back;
  const [y, m] = [Math.floor(months / 12), (months % 12) + 1];
  return { from: dayOf(y, m, 1), to: dayOf(y, m, 31), grain: 'month', openYear: false };
}

/** The last Saturday and Sunday that have begun. */
function lastWeekend(today: Day): DateRange {
  const saturday = addDays(today, -((weekdayOf(today) + 1) % 7));
  return spanning(saturday, addDays(saturday, 1));
}

const DAYS: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, year: 365 };

const NUMBERS = new Map(
  LANGUAGES.flatMap(({ numbers = '', one = '' }) =>
    [...numbers.split(/\s+/u), '']
      .flatMap((list, value): [string, number][] => list.split('/').map((word) => [word, value]))
      .concat(one.split(/\s+/u).map((word) => [word, 1])),
  ),
);

/** What a language says of time from now, in its words, and the days it means. */
interface RelativeGrammar {
  language: string;
  /** Whether a text may say any of it, told at little cost. */
  hint: RegExp;
  patterns: readonly (readonly [RegExp, Resolve])[];
}

/** The days that a phrase means, whose number may be said within it. */
const resolver =
  ({ unit, back, some }: RelativeTime): Resolve =>
  (today, amount) => {
    if (back !== null) return unitBack(today, unit, back);
    if (some) return spanning(addDays(today, -DAYS[unit] * amount), today);
    return unit === 'week'
      ? spanning(addDays(today, -7 * amount - 3), addDays(today, -7 * amount + 3))
      : unitBack(today, unit, amount);
  };

function makeGrammar({ code, time }: LanguagePack): RelativeGrammar {
  // 'The day before yesterday' holds 'yesterday', and 'the last 3 days' a day.
  const rank = ({ back, some }: RelativeTime): number => back ?? (some ? 5 : 4);
  const told = relativeTimes(code).toSorted((a, b) => rank(b) - rank(a));
  const sources: [string, Resolve][] = [
    [time?.weekend ?? '(?!)', lastWeekend],
    ...told.map((each): [string, Resolve] => [each.source, resolver(each)]),
  ];
  const bounded = sources.map(([source, resolve]) => [wholeWords(source), resolve] as const);
  const patterns = bounded.map(
    ([source, resolve]) => [new RegExp(source, 'giu'), resolve] as const,
  );
  const all = bounded.map(([source]) => source.replaceAll('?<n>', '?:')).join('|');
  const hint = new RegExp(all, 'iu');
  return { language: code, hint, patterns };
}

let grammars: RelativeGrammar[] | undefined;

/** 'hier' is 'here' in German, and 'yesterday' in French. */
function isOfAnother(text: string, said: string, language: string): boolean {
  const spoken = likelyLanguages(text.replace(said, ' '));
  return (
    !spoken.includes(language) && spoken.some((other) => stopWords(other).has(said.toLowerCase()))
  );
}

function findRelative(text: string, today: Day): DateReference[] {
  grammars ??= LANGUAGES.filter(({ time }) => time !== undefined).map(makeGrammar);
  const found: DateReference[] = [];
  for (const { language, hint, patterns } of grammars) {
    if (!hint.test(text)) continue;
    for (const [pattern, resolve] of patterns) {
      for (const { 0: said, index: start, groups } of text.matchAll(pattern)) {
        if (isOfAnother(text, said, language)) continue;
        const n = groups?.['n']?.toLowerCase() ?? '';
        const range = resolve(today, NUMBERS.get(n) ?? Number(n));
        found.push({ start, end: start + said.length, range, relative: true, open: false });
      }
    }
  }
  return found;
}

const LAST = before(timeWords(({ last }) => last));

/** A day of the week is the last one; on that day itself, today. */
function findWeekdays(text: string, languages: readonly string[], today: Day): DateReference[] {
  const { weekday, weekdayOf: dayNamed } = calendarNames(languages);
  const found: DateReference[] = [];
  for (const { 0: name, index } of text.matchAll(new RegExp(`${L}(?:${weekday})`, 'giu'))) {
    const [said, end] = [text.slice(0, index), index + name.length];
    // Scripts with spaces have more letters after some other word.
    if (/^\p{L}/u.test(text.slice(end)) && !UNSPACED.test(name)) continue;
    const last = LAST.exec(said)?.[0] ?? '';
    if (last === '' && isNoDate(name, said, text.slice(end))) continue;
    const back = (weekdayOf(today) - dayNamed(name) + 7) % 7;
    const day = addDays(today, -(back === 0 && last !== '' ? 7 : back));
    const start = index - last.length;
    const range = spanning(day, day);
    found.push({ start, end, range, relative: true, open: false, weekday: last === '' });
  }
  return found;
}

const NEAR = 6;

/** Months and seasons of a year that is named beside them: 'March last year', '去年の夏'. */
function withYears(references: readonly DateReference[]): DateReference[] {
  const result: DateReference[] = [];
  for (const reference of references) {
    const before = result.at(-1);
    const pair = before && reference.start - before.end <= NEAR ? [before, reference] : [];
    const year = pair.find(({ range, relative }) => relative && range.grain === 'year')?.range.from;
    const months = pair.find(({ range }) => range.openYear)?.range;
    if (before === undefined || year === undefined || months === undefined) {
      result.push(reference);
      continue;
    }
    const shift = year - (year % 10_000) - (months.from - (months.from % 10_000));
    const range = { ...months, from: months.from + shift, to: months.to + shift, openYear: false };
    result[result.length - 1] = { ...before, end: reference.end, range, relative: false };
  }
  return result;
}

/** Words that make a stretch of time of what follows, and such as join its two ends. */
const BEFORE = before(timeWords((time) => time.before));
const AFTER = before(timeWords((time) => time.after));
const SINCE = before(timeWords(({ since }) => since));
const SINCE_BEHIND = new RegExp(`^(?:${timeWords(({ sinceBehind }) => sinceBehind)})`, 'u');
const UNTIL = before(timeWords(({ until }) => until));
const FROM_WORDS = timeWords(({ from }) => from);
const TO_WORDS = timeWords(({ to }) => to);
const FROM = before(FROM_WORDS);
const TO = new RegExp(String.raw`^\s*(?:${TO_WORDS}|[-–~〜])\s*$`, 'iu');
/** 'between 1 and 10 October': a day whose month stands with the other one. */
const FIRST_DAY = new RegExp(
  String.raw`${L}(?:${FROM_WORDS})\s(?<day>\d{1,2})(?:\.|\p{L}{2})?\s?(?:${TO_WORDS}|[-–])\s$`,
  'iu',
);
const EVER: Day = 19_700_101;

/** Joins the ends of stretches of time, and gives 'before', 'after' and 'since' their other end. */
function withStretches(
  text: string,
  references: readonly DateReference[],
  today: Day,
): DateReference[] {
  const result: DateReference[] = [];
  for (const reference of references) {
    const { range, start } = reference;
    const said = text.slice(0, start);
    const stretch = (lead: RegExp | number, from: Day, to: Day): void => {
      const head = typeof lead === 'number' ? lead : start - (lead.exec(said)?.[0].length ?? 0);
      const days = { ...range, from, to: Math.max(from, to), grain: 'day' as const };
      result.push({ ...reference, start: head, open: true, range: days });
    };
    const other = result.at(-1);
    const lead = other && FROM.exec(text.slice(0, other.start));
    const first = range.grain === 'day' ? FIRST_DAY.exec(said) : null;
    if (other && lead && TO.test(text.slice(other.end, start))) {
      result.pop();
      // In 'from March to May 2024' the year stands with the second one.
      const isYear = other.range.openYear && !range.openYear;
      const year = isYear ? range.to - (range.to % 10_000) : 0;
      const from = isYear ? year + (other.range.from % 10_000) : other.range.from;
      stretch(lead.index, from, range.to);
    } else if (first !== null) {
      stretch(
        first.index,
        range.from - (range.from % 100) + Number(first.groups?.['day']),
        range.to,
      );
    } else if (SINCE.test(said) || SINCE_BEHIND.test(text.slice(reference.end))) {
      stretch(SINCE, range.from, today);
    } else if (BEFORE.test(said)) stretch(BEFORE, EVER, addDays(range.from, -1));
    else if (AFTER.test(said)) stretch(AFTER, dayAfter(range.to), today);
    else if (UNTIL.test(said)) stretch(UNTIL, EVER, range.to);
    else result.push(reference);
  }
  return result;
}

/** What a question says of time, in its order; `today` is the day it is asked on. */
export function readDates(
  text: string,
  languages: readonly string[],
  today: () => Day,
): DateReference[] {
  const now = today();
  const found: DateReference[] = [];
  const absolute = findDates(text, languages).map((mention): DateReference => ({
    start: mention.start,
    end: mention.end,
    range: rangeOf(mention, now),
    relative: false,
    open: false,
  }));
  const days = findWeekdays(text, languages, now);
  for (const reference of [...findRelative(text, now), ...absolute, ...days]) {
    const { start, end } = reference;
    if (!found.some((other) => start < other.end && other.start < end)) found.push(reference);
  }
  found.sort((a, b) => a.start - b.start);
  return withStretches(text, withYears(found), now);
}
