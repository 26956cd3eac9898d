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

const words = (field: (time: TimeWords) => string | undefined): string =>
  alternatives(({ time }) => time && field(time));

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const YEAR = String.raw`(?:1[5-9]|20)\d\d`;
const BREAK = String.raw`[\s,_.-]`;
const OF = `(?:${words(({ of }) => of)})?`;
/** A year behind a month, a quarter or a season. */
const OF_YEAR = String.raw`(?:[\s,]+${OF}(?<year>${YEAR})(?!\d))?`;
/** Words for first to fourth before a word for a quarter; digits and I to IV stand for themselves. */
const ORDINALS = [0, 1, 2, 3].map(
  (at) => `${words(({ ordinals }) => ordinals?.[at])}|${['i', 'ii', 'iii', 'iv'][at] ?? ''}`,
);
const SEASONS = [0, 1, 2, 3].map((at) => words(({ seasons }) => seasons?.[at]));
const anchored = (sources: readonly string[]): RegExp[] =>
  sources.map((source) => new RegExp(`^(?:${source})$`, 'iu'));
const [IS_ORDINAL, IS_SEASON] = [anchored(ORDINALS), anchored(SEASONS)];

/** Characters around a number or a name that tell what it is. */
const NEAR = 80;
/** What a number is no year and no day beside: an amount, a number of something. */
const BEFORE_NUMBER = new RegExp(
  String.raw`[$€£¥₽#№]\s?$|(?<!\p{L})(?:${words(({ beforeNumber }) => beforeNumber)}|§) $`,
  'iu',
);
const BEHIND_NUMBER = new RegExp(
  String.raw`^(?:\s?(?:[$€£¥₽%°]|(?:[kcm]?m|km\/h|k?g|mg|kwh?|mw|gb|mb|kb|ml|hz|mhz|ghz|eur|usd|gbp|chf)(?![\p{L}\p{N}]))| (?:${words(({ behindNumber }) => behindNumber)})(?!\p{L}))`,
  'iu',
);

type Groups = Readonly<Record<string, string | undefined>>;
type Reading = Omit<DateMention, 'start' | 'end'>;
/** What stands before and behind a match. */
type Reader = (
  groups: Groups,
  names: CalendarNames,
  before: string,
  behind: string,
) => Reading | null;

const number = (text: string | undefined): number => Number(text ?? Number.NaN);
const isMonth = (month: number): boolean => month >= 1 && month <= 12;
/** Whether a month has such a day; without a year, in any. */
const isDay = (day: number, month: number, year: number | null): boolean =>
  day >= 1 && day <= new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
const yearOf = (text: string | undefined): number | null =>
  text === undefined ? null : text.length === 2 ? 2000 + Number(text) : Number(text);

function reading(year: number | null, month: number, day: number | null): Reading | null {
  if (!isMonth(month) || (day !== null && !isDay(day, month, year))) return null;
  return { year, months: [month, month], day };
}

const KANJI = '一二三四五六七八九十';

/** 三 and 十二 as well as 12. */
function readNumeral(text: string): number {
  if (!KANJI.includes(text.charAt(0))) return Number(text);
  if (text.length === 1) return KANJI.indexOf(text) + 1;
  return 10 + KANJI.indexOf(text.charAt(1)) + 1;
}

/** Year, month by its number or its name, and day, as far as they are said. */
const readDay: Reader = ({ year, month = '', day }, names) =>
  reading(
    yearOf(year),
    /^\p{L}{2}/u.test(month) && !KANJI.includes(month.charAt(0))
      ? names.monthOf(month)
      : readNumeral(month),
    day === undefined ? null : number(day),
  );

/** 2026-03; but 2010-11 may as well be the two years from autumn to summer: all that is sure is a year. */
const readYearMonth: Reader = (groups, ...rest) =>
  number(groups['month']) === (number(groups['year']) + 1) % 100
    ? { year: number(groups['year']), months: null, day: null }
    : readDay(groups, ...rest);

const isNumbered = (before: string): boolean => BEFORE_NUMBER.test(before);

const readYear: Reader = ({ year }, _, before, behind) =>
  isNumbered(before) || BEHIND_NUMBER.test(behind)
    ? null
    : { year: number(year), months: null, day: null };

/** 14.03.2026 begins with the day; 03/14/2026 and 14/03/2026 tell by their numbers which is which. */
const readNumeric: Reader = ({ first, sign, second, year }) => {
  const [a, b] = [number(first), number(second)];
  const dayFirst = reading(yearOf(year), b, a);
  const monthFirst = reading(yearOf(year), a, b);
  if (sign === '.' || monthFirst === null) return dayFirst;
  return dayFirst === null || a === b
    ? monthFirst
    : { ...monthFirst, swapped: { month: b, day: a } };
};

const readQuarter: Reader = ({ quarter = '', year }) => {
  const digit = Number(quarter.replace(/[.º°]$/u, ''));
  const at =
    digit >= 1 && digit <= 4 ? digit : IS_ORDINAL.findIndex((pattern) => pattern.test(quarter)) + 1;
  return at === 0 ? null : { year: yearOf(year), months: [at * 3 - 2, at * 3], day: null };
};

const readHalf: Reader = ({ half = '', year }) => ({
  year: yearOf(year),
  months: half === '2' || IS_ORDINAL[1]?.test(half) ? [7, 12] : [1, 6],
  day: null,
});

/** Whether some language knows the name to mean something else here. */
export const isNoDate = (name: string, before: string, behind: string): boolean =>
  LANGUAGES.some(({ time }) => time?.isNoDate?.(name, before, behind) === true);

const readSeason: Reader = ({ season = '', year }, _, before, behind) => {
  if (year === undefined && isNoDate(season, before, behind)) return null;
  const at = IS_SEASON.findIndex((pattern) => pattern.test(season));
  // March to May, and so on; winter ends in the next year.
  return at === -1
    ? null
    : { year: yearOf(year), months: [at * 3 + 3, ((at * 3 + 4) % 12) + 1], day: null };
};

const readBareMonth: Reader = ({ month = '' }, names, before, behind) =>
  isNoDate(month, before, behind) ? null : reading(null, names.monthOf(month), null);

/** A language's own ways to write dates. */
const readOwn: Reader = (groups, ...rest) => {
  if (groups['quarter'] !== undefined) return readQuarter(groups, ...rest);
  if (groups['season'] !== undefined) return readSeason(groups, ...rest);
  if (groups['month'] !== undefined) return readDay(groups, ...rest);
  return { year: number(groups['year']), months: null, day: null };
};

/** Halves and quarters of games and centuries are none of a year. */
function notOfGames(): string {
  const spoken = LANGUAGES.filter(({ time }) => time !== undefined);
  const years = spoken.map(({ code }) => unitNames(code, 'year')).join('|');
  return String.raw`(?!\s(?:${words(({ of }) => of)})(?!${YEAR}|[^?.,]{0,20}(?:${YEAR}|(?:${years})(?!\p{L}))))`;
}

/** In the order in which they are tried: what one has read, the next ones leave alone. */
function makePatterns({ full, any }: CalendarNames): [RegExp, Reader][] {
  const noGame = notOfGames();
  const months = String.raw`(?<month>${any})(?!\p{L})\.?`;
  const fields = ['on', 'since', 'from', 'to', 'before', 'after'] as const;
  const leads = fields.map((field) => words((time) => time[field])).join('|');
  const halves = `(?<half>${ORDINALS.slice(0, 2).join('|')}) (?:${words(({ half }) => half)})`;
  const quarters = String.raw`(?<quarter>${ORDINALS.join('|')}|[1-4][.º]?)[\s-]+(?:${words(({ quarter }) => quarter)})`;
  const own = LANGUAGES.flatMap(({ time }) => time?.patterns ?? []);
  const sources: [string, Reader][] = [
    [
      String.raw`(?<![\d.])(?<year>\d{4})(?<sign>[-./_])(?<month>0?[1-9]|1[0-2])\k<sign>(?<day>0?[1-9]|[12]\d|3[01])(?!\d)`,
      readDay,
    ],
    [String.raw`(?<![\d.])(?<year>${YEAR})[-/_](?<month>0[1-9]|1[0-2])(?![\d-])`, readYearMonth],
    [
      String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?!\d)`,
      readDay,
    ],
    [
      String.raw`(?<![\d.])(?<first>\d{1,2})(?<sign>[./-])(?<second>\d{1,2})\k<sign>(?<year>${YEAR}|\d{2})(?!\d)`,
      readNumeric,
    ],
    [String.raw`(?<![\d./-])(?<month>0?[1-9]|1[0-2])[./](?<year>${YEAR})(?!\d)`, readDay],
    [
      String.raw`(?<![\d.])(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?!\d)`,
      (groups, names, before, behind) =>
        isNumbered(before) ? null : readDay(groups, names, before, behind),
    ],
    [
      String.raw`(?<=(?<!\p{L})(?:${leads})\s)(?<first>\d{1,2})(?<sign>\/)(?<second>\d{1,2})(?![\d/])`,
      readNumeric,
    ],
    [`${L}(?:H(?<half>[12])|${halves})${R}${noGame}${OF_YEAR}`, readHalf],
  ];
  const named: [string, Reader][] = [
    [
      String.raw`(?<!\d)(?<day>\d{1,2})(?:[.º]|-?\p{L}{1,2})?[\s_-]*${OF}${months}(?:${BREAK}+${OF}(?<year>${YEAR})(?!\d))?`,
      readDay,
    ],
    [
      String.raw`${L}${months}[\s_-]+(?<day>\d{1,2})(?:\p{L}{2})?(?![\p{L}\p{N}:])(?:,?[\s_-]+(?<year>${YEAR})(?!\d))?`,
      readDay,
    ],
    [String.raw`${L}${months}${BREAK}*${OF}(?<year>${YEAR})(?!\d)`, readDay],
    [String.raw`${L}[QT](?<quarter>[1-4])${R}(?:[\s/_-]*(?<year>${YEAR})(?!\d))?`, readQuarter],
    [String.raw`(?<!\d)(?<year>${YEAR})[\s/_-]*Q(?<quarter>[1-4])${R}`, readQuarter],
    [`${L}${quarters}${R}${noGame}${OF_YEAR}`, readQuarter],
    [`${L}(?<season>${SEASONS.join('|')})${R}${OF_YEAR}`, readSeason],
    [String.raw`${L}(?:[وبل])?(?<month>${full})${R}`, readBareMonth],
    [String.raw`(?<![\p{N}.,/:-])(?<year>${YEAR})(?![\p{N}/:]|[.,-]\d|['’]?s(?!\p{L}))`, readYear],
  ];
  const compiled = ([source, read]: [string, Reader]): [RegExp, Reader] => [
    new RegExp(source, 'giu'),
    read,
  ];
  return [
    ...sources.map(compiled),
    ...own.map((pattern): [RegExp, Reader] => [pattern, readOwn]),
    ...named.map(compiled),
  ];
}

interface DatePatterns {
  readers: readonly [RegExp, Reader][];
  /** What a text has that may name a day. */
  dayLike: RegExp;
}

const PATTERNS = new WeakMap<CalendarNames, DatePatterns>();

function patternsFor(names: CalendarNames): DatePatterns {
  const known = PATTERNS.get(names);
  if (known !== undefined) return known;
  const dayLike = new RegExp(
    String.raw`\d\s?[-./_]\s?\d|\d{8}|[日일]|(?<!\p{L})(?:${names.any})(?!\p{L})`,
    'iu',
  );
  const patterns = { readers: makePatterns(names), dayLike };
  PATTERNS.set(names, patterns);
  return patterns;
}

/** The dates that a text names, in its order. */
export function findDates(text: string, languages: readonly string[]): DateMention[] {
  const names = calendarNames(languages);
  const found: DateMention[] = [];
  for (const [pattern, read] of patternsFor(names).readers) {
    for (const { 0: said, index: start, groups = {} } of text.matchAll(pattern)) {
      const end = start + said.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const mention = read(
        groups,
        names,
        text.slice(Math.max(0, start - NEAR), start),
        text.slice(end, end + NEAR),
      );
      if (mention !== null) found.push({ ...mention, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether a text may name a day at all, which is told much faster than which days it names. */
export const mayNameDay = (text: string, languages: readonly string[]): boolean =>
  patternsFor(calendarNames(languages)).dayLike.test(text);
