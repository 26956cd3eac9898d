import type { Span } from '../types.ts';
import { memoize } from '../memoize.ts';
import { SPELLED } from '../text/measures.ts';
import { agoPhrases, calendarNames, relativeNames, unitNames } from '../languages/calendar.ts';
import { packOf, UNSPACED, wholeWords } from '../languages/index.ts';
import type { Unit } from '../languages/language.ts';
import { addDays, monthOf, rangeOf, weekdayOf, yearOf } from './calendar.ts';
import {
  AFTER_NAME,
  type DateMention,
  type DateRange,
  type Day,
  findDates,
  timeWords,
} from './dates.ts';

export interface DateReference extends Span {
  range: DateRange;
  /** 'relative' is a time such as 'last week'. 'period' begins or ends with one of the others. */
  kind: 'date' | 'relative' | 'weekday' | 'period';
  /** Missing for relative times. */
  mention?: DateMention;
}

type Resolve = (today: Day, amount: number) => DateRange;

const L = String.raw`(?<![\p{L}\p{N}])`;
const spanning = (from: Day, to: Day): DateRange => ({ from, to, grain: 'day', openYear: false });

function unitBack(today: Day, unit: Unit, back: number): DateRange {
  if (unit === 'day') return spanning(addDays(today, -back), addDays(today, -back));
  if (unit === 'week') {
    const monday = addDays(today, -((weekdayOf(today) + 6) % 7) - 7 * back);
    return spanning(monday, addDays(monday, 6));
  }
  const year = yearOf(today);
  if (unit === 'year') return rangeOf({ year: year - back, months: null, day: null }, today);
  const months = year * 12 + monthOf(today) - 1 - back;
  const month = (months % 12) + 1;
  return rangeOf({ year: Math.floor(months / 12), months: [month, month], day: null }, today);
}

/** The current or last Saturday and Sunday. */
function lastWeekend(today: Day): DateRange {
  const saturday = addDays(today, -((weekdayOf(today) + 1) % 7));
  return spanning(saturday, addDays(saturday, 1));
}

const DAYS: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 30, year: 365 };
const UNITS = Object.keys(DAYS) as Unit[];

type Grammar = readonly (readonly [RegExp, Resolve])[];

function makeGrammar(language: string): Grammar {
  const { time = {}, numbers = '', one = '' } = packOf(language);
  const spelled = `${numbers} ${one}`.split(/[\s/]+/u).filter((word) => /\p{L}/u.test(word));
  const n = `(?<n>${[String.raw`\d{1,3}`, ...spelled].join('|')})`;
  const grammar: [RegExp, Resolve][] = [];
  const add = (source: string | undefined, resolve: Resolve): void => {
    if (source) grammar.push([new RegExp(wholeWords(source), 'giu'), resolve]);
  };
  add(time.weekend, lastWeekend);
  for (const unit of UNITS) {
    const names = `(?:${unitNames(language, unit)})`;
    for (const [back, word] of [time.this, time.last, undefined].entries()) {
      const named = word && unit !== 'day' && `(?:${word})\\s?${names}|${names}\\s(?:${word})`;
      for (const source of [...relativeNames(language, unit, back), named || undefined])
        add(source, (today) => unitBack(today, unit, back));
    }
    for (const source of agoPhrases(language, unit, n))
      add(source, (today, amount) => unitBack(today, unit, amount));
    const several = String.raw`(?:${time.last})\s?${n}\s?${names}\p{L}?|${n}\s(?:${time.last})\s${names}`;
    add(time.last && several, (today, amount) =>
      spanning(addDays(today, -DAYS[unit] * amount), today),
    );
  }
  return grammar;
}

const grammarOf = memoize(makeGrammar);

function findRelative(text: string, languages: readonly string[], today: Day): DateReference[] {
  return languages.flatMap(grammarOf).flatMap(([pattern, resolve]) =>
    [...text.matchAll(pattern)].map(({ 0: phrase, index: start, groups }): DateReference => {
      const n = groups?.['n']?.toLowerCase() ?? '';
      const amount = /\d/u.test(n) ? Number(n) : Number(SPELLED.get(n) ?? 1);
      return { start, end: start + phrase.length, range: resolve(today, amount), kind: 'relative' };
    }),
  );
}

const LAST = timeWords(({ last }) => last);

/** Resolves weekdays to the last one, which may be today. */
function findWeekdays(text: string, languages: readonly string[], today: Day): DateReference[] {
  const { weekday, weekdayOf: dayNamed } = calendarNames(languages);
  const pattern = new RegExp(String.raw`${L}(?:(?<last>${LAST})\s)?(?<name>${weekday})`, 'giu');
  return [...text.matchAll(pattern)].flatMap(
    ({ 0: phrase, index: start, groups }): DateReference[] => {
      const { last, name = '' } = groups ?? {};
      const end = start + phrase.length;
      // In scripts with spaces, more letters make another word.
      const isWord = UNSPACED.test(name) || !/^\p{L}/u.test(text.slice(end));
      if (!isWord || AFTER_NAME.test(text.slice(0, start))) return [];
      const daysBack = (weekdayOf(today) - dayNamed(name) + 7) % 7;
      const day = addDays(today, -(daysBack === 0 && last !== undefined ? 7 : daysBack));
      const kind = last === undefined ? 'weekday' : 'relative';
      return [{ start, end, range: spanning(day, day), kind }];
    },
  );
}

const NEAR = 6;

/** Adds the year beside a month or season: 'March last year', '去年の夏'. */
function withYears(chosen: readonly DateReference[], today: Day): DateReference[] {
  const result: DateReference[] = [];
  for (const reference of chosen) {
    const previous = result.at(-1);
    const pair = previous && reference.start - previous.end <= NEAR ? [previous, reference] : [];
    const year = pair.find(({ range, kind }) => kind === 'relative' && range.grain === 'year');
    const mention = pair.find(({ range }) => range.openYear)?.mention;
    if (previous === undefined || year === undefined || mention === undefined) {
      result.push(reference);
      continue;
    }
    const range = rangeOf({ ...mention, year: yearOf(year.range.from) }, today);
    result[result.length - 1] = { ...previous, end: reference.end, range, kind: 'date' };
  }
  return result;
}

/** 'From March to May 2024': both have the year. */
function withSharedYears(chosen: readonly DateReference[], today: Day): DateReference[] {
  return chosen.map((reference, index) => {
    const { mention, end, range } = reference;
    const next = chosen[index + 1];
    const year = next?.mention?.months ? next.mention.year : null;
    const isShared =
      range.openYear && year !== null && next !== undefined && next.start - end <= NEAR;
    return mention && isShared
      ? { ...reference, range: rangeOf({ ...mention, year }, today) }
      : reference;
  });
}

const leadPattern = (words: string): RegExp => new RegExp(String.raw`${L}(?:${words})\s$`, 'iu');
const SINCE = leadPattern(timeWords(({ since }) => since));
const BEFORE = leadPattern(timeWords((time) => time.before));
const AFTER = leadPattern(timeWords(({ after }) => after));
const EVER: Day = 19_700_101;

/** Converts a time after 'before', 'after' or 'since' to a period. */
function withLead(text: string, reference: DateReference, today: Day): DateReference {
  const { range, end } = reference;
  const lead = text.slice(0, reference.start);
  const period = (start: number, from: Day, to: Day): DateReference => ({
    start,
    end,
    range: spanning(from, Math.max(from, to)),
    kind: 'period',
  });
  const [since, before, after] = [SINCE, BEFORE, AFTER].map((word) => word.exec(lead)?.index);
  if (since !== undefined) return period(since, range.from, today);
  if (before !== undefined) return period(before, EVER, addDays(range.from, -1));
  return after === undefined ? reference : period(after, addDays(range.to, 1), today);
}

export function readDates(text: string, languages: readonly string[], today: Day): DateReference[] {
  const dates = findDates(text, languages).map((mention): DateReference => {
    const { start, end } = mention;
    return { start, end, mention, range: rangeOf(mention, today), kind: 'date' };
  });
  const phrases = [
    ...findRelative(text, languages, today),
    ...dates,
    ...findWeekdays(text, languages, today),
  ].sort((a, b) => b.end - b.start - (a.end - a.start));
  // 'The day before yesterday' contains 'yesterday', so the longest match wins.
  const chosen: DateReference[] = [];
  for (const reference of phrases) {
    const { start, end } = reference;
    if (!chosen.some((other) => start < other.end && other.start < end)) chosen.push(reference);
  }
  chosen.sort((a, b) => a.start - b.start);
  return withSharedYears(withYears(chosen, today), today).map((reference) =>
    withLead(text, reference, today),
  );
}
