import { calendarNames, unitNames } from '../languages/calendar.ts';
import type { CalendarNames } from '../languages/calendar.ts';
import { alternatives, LANGUAGES } from '../languages/index.ts';
import type { TimeWords } from '../languages/language.ts';

/** A day of the calendar as one number: year · 10,000 + month · 100 + day. */
export type Day = number;

/** Days of the calendar, both ends included. */
export interface DateRange {
  from: Day;
  to: Day;
  grain: 'day' | 'month' | 'year';
  /** The year was not said: the same days of another year fit, too, but less. */
  openYear: boolean;
}

/** A date as a text writes it; what it leaves open is null. */
export interface DateMention {
  /** Offsets in the text. */
  start: number;
  end: number;
  year: number | null;
  /** The first and the last month, 1 to 12: several in a quarter or a season. */
  months: readonly [number, number] | null;
  day: number | null;
  /** How 03/04/2026 reads where the day stands first. */
  swapped?: { month: number; day: number };
}

/** The words of languages for something of time, as alternatives of a regular expression. */
export const timeWords = (field: (time: TimeWords) => string | undefined): string =>
  alternatives(({ time }) => time && field(time));

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const YEAR = String.raw`(?:1[5-9]|20)\d\d`;
const OF = `(?:${timeWords(({ of }) => of)})?`;
/** A year behind a month, a quarter or a season. */
const OF_YEAR = String.raw`(?:[\s,]+${OF}(?<year>${YEAR})(?!\d))?`;
/** Words for first to fourth before a word for a quarter; digits and I to IV stand for themselves. */
const ORDINALS = [0, 1, 2, 3].map(
  (at) =>
    `${at + 1}|${'i'.repeat(at + 1).replace('iiii', 'iv')}|${timeWords(({ ordinals }) => ordinals?.[at])}`,
);
const SEASONS = [0, 1, 2, 3].map((at) => timeWords(({ seasons }) => seasons?.[at]));
/** Which of some sources, from 1 on, fits a word; 0 for none. */
const placeIn = (sources: readonly string[]): ((word: string) => number) => {
  const patterns = sources.map((source) => new RegExp(`^(?:${source})[.º]?$`, 'iu'));
  return (word) => patterns.findIndex((pattern) => pattern.test(word)) + 1;
};
const ordinalOf = placeIn(ORDINALS);
const seasonOf = placeIn(SEASONS);

/** Characters around a number or a name that tell what it is. */
const NEAR = 80;
/** What a number is no year and no day beside: an amount, a number of something. */
const BEFORE_NUMBER = new RegExp(
  String.raw`[$€£¥₽#№]\s?$|(?<!\p{L})(?:${timeWords(({ beforeNumber }) => beforeNumber)}|§) $`,
  'iu',
);
const BEHIND_NUMBER = new RegExp(
  String.raw`^(?:\s?(?:[$€£¥₽%°]|(?:[kcm]?m|km\/h|k?g|mg|kwh?|mw|gb|mb|kb|ml|hz|mhz|ghz|eur|usd|gbp|chf)(?![\p{L}\p{N}]))| (?:${timeWords(({ behindNumber }) => behindNumber)})(?!\p{L}))`,
  'iu',
);

type Reading = Omit<DateMention, 'start' | 'end'>;

const KANJI = '一二三四五六七八九十';

/** A month by its name or number, 三 and 十二 as well as 12. */
function monthOf(text: string, names: CalendarNames): number {
  if (/^\d/u.test(text)) return Number(text);
  if (!KANJI.includes(text.charAt(0))) return names.monthOf(text);
  return text.length === 1 ? KANJI.indexOf(text) + 1 : KANJI.indexOf(text.charAt(1)) + 11;
}

/** A month, or a day of it that there is. */
function reading(year: number | null, month: number, day: number | null): Reading | null {
  if (!(month >= 1 && month <= 12)) return null;
  const last = new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
  if (day !== null && (day < 1 || day > last)) return null;
  return { year, months: [month, month], day };
}

/** 14.03.2026 begins with the day; 03/14/2026 and 14/03/2026 tell by their numbers which is which. */
function readNumeric(year: number | null, sign: string, a: number, b: number): Reading | null {
  const dayFirst = reading(year, b, a);
  const monthFirst = reading(year, a, b);
  if (sign === '.' || monthFirst === null) return dayFirst;
  return dayFirst === null || a === b
    ? monthFirst
    : { ...monthFirst, swapped: { month: b, day: a } };
}

/** Whether some language knows the name to mean something else here. */
export const isNoDate = (name: string, before: string, behind: string): boolean =>
  LANGUAGES.some(({ time }) => time?.isNoDate?.(name, before, behind) === true);

type Groups = Readonly<Partial<Record<string, string>>>;

/** What the groups of a pattern say, by what stands before and behind them. */
function read(
  groups: Groups,
  names: CalendarNames,
  before: string,
  behind: string,
): Reading | null {
  const { month, season, quarter, half, sign = '' } = groups;
  const [first, second] = [Number(groups['first']), Number(groups['second'])];
  const day = groups['day'] === undefined ? null : Number(groups['day']);
  const said = groups['year'];
  const year = said === undefined ? null : Number(said) + (said.length === 2 ? 2000 : 0);
  const alone = year === null && day === null;
  const spanning = (from: number, to: number): Reading => ({ year, months: [from, to], day });
  if (alone && isNoDate(month ?? season ?? '', before, behind)) return null;
  if (groups['first'] !== undefined) {
    return year === null && BEFORE_NUMBER.test(before)
      ? null
      : readNumeric(year, sign, first, second);
  }
  if (half !== undefined) return ordinalOf(half) === 2 ? spanning(7, 12) : spanning(1, 6);
  if (quarter !== undefined) {
    const at = ordinalOf(quarter);
    return at === 0 ? null : spanning(at * 3 - 2, at * 3);
  }
  if (season !== undefined) {
    // March to May, and so on; winter ends in the next year.
    const at = seasonOf(season);
    return at === 0 ? null : spanning(at * 3, ((at * 3 + 1) % 12) + 1);
  }
  // 2010-11 may as well be the two years from autumn to summer: all that is sure is a year.
  const isSeason = day === null && sign !== '' && Number(month) === ((year ?? 0) + 1) % 100;
  if (month !== undefined && !isSeason) return reading(year, monthOf(month, names), day);
  const isNumber = BEFORE_NUMBER.test(before) || BEHIND_NUMBER.test(behind);
  return isNumber && !isSeason ? null : { year, months: null, day: null };
}

/** Halves and quarters of games and centuries are none of a year. */
function notOfGames(): string {
  const spoken = LANGUAGES.filter(({ time }) => time !== undefined);
  const years = spoken.map(({ code }) => unitNames(code, 'year')).join('|');
  return String.raw`(?!\s(?:${timeWords(({ of }) => of)})(?!${YEAR}|[^?.,]{0,20}(?:${YEAR}|(?:${years})(?!\p{L}))))`;
}

/** In the order in which they are tried: what one has read, the next ones leave alone. */
function makePatterns({ full, any }: CalendarNames): RegExp[] {
  const noGame = notOfGames();
  const months = String.raw`(?<month>${any})(?!\p{L})\.?`;
  const fields = ['on', 'since', 'from', 'to', 'before', 'after'] as const;
  const leads = fields.map((field) => timeWords((time) => time[field])).join('|');
  const halves = `(?<half>${ORDINALS.slice(0, 2).join('|')}) (?:${timeWords(({ half }) => half)})`;
  const quarters = String.raw`(?<quarter>(?:${ORDINALS.join('|')})[.º]?)[\s-]+(?:${timeWords(({ quarter }) => quarter)})`;
  const numbers = [
    String.raw`(?<![\d.])(?<year>\d{4})(?<sign>[-./_])(?<month>0?[1-9]|1[0-2])\k<sign>(?<day>0?[1-9]|[12]\d|3[01])(?!\d)`,
    String.raw`(?<![\d.])(?<year>${YEAR})(?<sign>[-/_])(?<month>0[1-9]|1[0-2])(?![\d-])`,
    String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?!\d)`,
    String.raw`(?<![\d.])(?<first>\d{1,2})(?<sign>[./-])(?<second>\d{1,2})\k<sign>(?<year>${YEAR}|\d{2})(?!\d)`,
    String.raw`(?<![\d./-])(?<month>0?[1-9]|1[0-2])[./](?<year>${YEAR})(?!\d)`,
    String.raw`(?<![\d.])(?<first>\d{1,2})(?<sign>\.)\s?(?<second>\d{1,2})\.(?!\d)`,
    String.raw`(?<=(?<!\p{L})(?:${leads})\s)(?<first>\d{1,2})(?<sign>\/)(?<second>\d{1,2})(?![\d/])`,
  ];
  const named = [
    `${L}(?:H(?<half>[12])|${halves})${R}${noGame}${OF_YEAR}`,
    ...LANGUAGES.flatMap(({ time }) => time?.patterns ?? []),
    String.raw`(?<!\d)(?<day>\d{1,2})(?:[.º]|-?\p{L}{1,2})?[\s_-]*${OF}${months}(?:[\s,_.-]+${OF}(?<year>${YEAR})(?!\d))?`,
    String.raw`${L}${months}[\s_-]+(?<day>\d{1,2})(?:\p{L}{2})?(?![\p{L}\p{N}:])(?:,?[\s_-]+(?<year>${YEAR})(?!\d))?`,
    String.raw`${L}${months}[\s,_.-]*${OF}(?<year>${YEAR})(?!\d)`,
    String.raw`${L}[QT](?<quarter>[1-4])${R}(?:[\s/_-]*(?<year>${YEAR})(?!\d))?`,
    String.raw`(?<!\d)(?<year>${YEAR})[\s/_-]*Q(?<quarter>[1-4])${R}`,
    `${L}${quarters}${R}${noGame}${OF_YEAR}`,
    `${L}(?<season>${SEASONS.join('|')})${R}${OF_YEAR}`,
    String.raw`${L}(?:[وبل])?(?<month>${full})${R}`,
    String.raw`(?<![\p{N}.,/:-])(?<year>${YEAR})(?![\p{N}/:]|[.,-]\d|['’]?s(?!\p{L}))`,
  ];
  return [...numbers, ...named].map((source) => new RegExp(source, 'giu'));
}

interface DatePatterns {
  patterns: readonly RegExp[];
  /** What a text has that may name a day or a month. */
  dateLike: RegExp;
}

const PATTERNS = new WeakMap<CalendarNames, DatePatterns>();

function patternsFor(names: CalendarNames): DatePatterns {
  const known = PATTERNS.get(names);
  if (known !== undefined) return known;
  const dateLike = String.raw`\d\s?[-./_]\s?\d|\d{8}|[日月일월]|(?<!\p{L})(?:${names.any})(?!\p{L})`;
  const made = { patterns: makePatterns(names), dateLike: new RegExp(dateLike, 'iu') };
  PATTERNS.set(names, made);
  return made;
}

/** The dates that a text names, in its order. */
export function findDates(text: string, languages: readonly string[]): DateMention[] {
  const names = calendarNames(languages);
  const found: DateMention[] = [];
  for (const pattern of patternsFor(names).patterns) {
    for (const { 0: said, index: start, groups = {} } of text.matchAll(pattern)) {
      const end = start + said.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const before = text.slice(Math.max(0, start - NEAR), start);
      const mention = read(groups, names, before, text.slice(end, end + NEAR));
      if (mention !== null) found.push({ ...mention, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether a text may name a day or a month, which is told much faster than which it names. */
export const mayNameDate = (text: string, languages: readonly string[]): boolean =>
  patternsFor(calendarNames(languages)).dateLike.test(text);
