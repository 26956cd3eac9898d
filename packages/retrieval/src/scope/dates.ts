import type { Span } from '../types.ts';
import { UNIT_OF } from '../text/measures.ts';
import { calendarNames, type CalendarNames } from '../languages/calendar.ts';
import { alternatives, LANGUAGES, wholeWords } from '../languages/index.ts';
import type { TimeWords } from '../languages/language.ts';

/** A date as year · 10,000 + month · 100 + day. */
export type Day = number;

/** A period, both days included. */
export interface DateRange {
  from: Day;
  to: Day;
  grain: 'day' | 'month' | 'year';
  /** The year is missing, so other years match partially. */
  openYear: boolean;
}

/** A date in a text. Missing parts are null. */
export interface DateParts {
  year: number | null;
  /** First and last month, 1 to 12. Several for a quarter or season. */
  months: readonly [number, number] | null;
  day: number | null;
}

export interface DateMention extends DateParts, Span {
  /** 03/04/2026 with the day first. */
  swapped?: { month: number; day: number };
}

/** Words for time in all languages, as regex alternatives. */
export const timeWords = (field: (time: TimeWords) => string | undefined): string =>
  alternatives(({ time }) => time && field(time));

const L = String.raw`(?<![\p{L}\p{N}])`;
const R = String.raw`(?![\p{L}\p{N}])`;
const YEAR = String.raw`(?:1[5-9]|20)\d\d`;
const WHOLE_YEAR = new RegExp(YEAR, 'u');
const OF = `(?:${timeWords(({ of }) => of)})?`;
const OF_YEAR = String.raw`(?:[\s,/_-]+${OF}${YEAR}(?!\d))?`;

const NEAR = 80;
const AFTER_SYMBOL = /[$€£¥₽#№§]\s?$/u;
const UNIT = /^\s?([%°]|\p{L}+)/u;

/** Whether a number is an amount: '$2000', '1800 m'. */
const isAmount = (before: string, after: string): boolean =>
  AFTER_SYMBOL.test(before) || UNIT_OF.has(UNIT.exec(after)?.[1]?.toLowerCase() ?? '');

/** A capitalized word before makes a name: 'Theresa May', 'Black Friday'. */
export const AFTER_NAME = /\s\p{Lu}\p{Ll}+\s$/u;
/** Month and season names that are also other words, and words before times. */
const AMBIGUOUS = new RegExp(`^(?:${timeWords(({ ambiguous }) => ambiguous)})$`, 'iu');
const AFTER_LEAD = new RegExp(String.raw`${L}(?:${timeWords(({ lead }) => lead)})[\s-]$`, 'iu');

/** Whether a name without a number is another word: 'we may march on'. */
function isOtherWord(name: string, isMonth: boolean, before: string): boolean {
  if (!AMBIGUOUS.test(name) || AFTER_LEAD.test(before)) return false;
  const hasCapital = isMonth && /^\p{Lu}/u.test(name) && /\p{L},? $/u.test(before);
  return !hasCapital || AFTER_NAME.test(before);
}

type Reading = Omit<DateMention, 'start' | 'end'>;

function reading(year: number | null, month: number, day: number | null): Reading | null {
  if (!(month >= 1 && month <= 12)) return null;
  const last = new Date(Date.UTC(year ?? 2000, month, 0)).getUTCDate();
  if (day !== null && (day < 1 || day > last)) return null;
  return { year, months: [month, month], day };
}

/** 14.03.2026 begins with the day. 03/14/2026 and 14/03/2026 show it by their numbers. */
function readNumeric(year: number | null, separator: string, a: number, b: number): Reading | null {
  const dayFirst = reading(year, b, a);
  const monthFirst = reading(year, a, b);
  if (separator === '.' || monthFirst === null) return dayFirst;
  return dayFirst === null || a === b
    ? monthFirst
    : { ...monthFirst, swapped: { month: b, day: a } };
}

interface DatePattern {
  pattern: RegExp;
  months: DateParts['months'];
}

function read(
  { 0: phrase, groups = {} }: RegExpExecArray,
  months: DateParts['months'],
  names: CalendarNames,
  [before, after]: readonly [string, string],
): Reading | null {
  const { name, month, first, second, sign = '' } = groups;
  const day = groups['day'] === undefined ? null : Number(groups['day']);
  const digits = groups['year'] ?? (months && WHOLE_YEAR.exec(phrase)?.[0]);
  const year = digits ? Number(digits) + (digits.length === 2 ? 2000 : 0) : null;
  if (first !== undefined) return readNumeric(year, sign, Number(first), Number(second));
  const isAlone = year === null && day === null;
  if (name !== undefined && isAlone && isOtherWord(name, months === null, before)) return null;
  if (months !== null) return { year, months, day };
  if (name !== undefined) return reading(year, names.monthOf(name), day);
  if (month !== undefined) return reading(year, Number(month), day);
  return isAmount(before, after) ? null : { year, months, day };
}

const patternOf = (source: string, months: DateParts['months'] = null): DatePattern => ({
  pattern: new RegExp(source, 'giu'),
  months,
});

/** Quarters and halves by sign or name in all languages. */
const partsOfYear = (length: number, letter: string, field: 'quarter' | 'half'): DatePattern[] =>
  Array.from({ length: 12 / length }, (_, index) => {
    const names = LANGUAGES.flatMap(({ time }) => {
      const ordinal = `(?:${index + 1}[.º]?|${time?.ordinals?.[index] ?? '(?!)'})`;
      return time?.[field] === undefined ? [] : wholeWords(time[field].replace('{}', ordinal));
    });
    const short = String.raw`(?:(?<!\d)${YEAR}[\s/_-]*|${L})${letter}${index + 1}${R}`;
    const source = `(?:${[short, ...names].join('|')})${OF_YEAR}`;
    return patternOf(source, [index * length + 1, (index + 1) * length]);
  });

/** Winter ends in the next year. */
const seasons = (): DatePattern[] =>
  [0, 1, 2, 3].map((i) => {
    const names = LANGUAGES.flatMap(({ time }) => time?.seasons?.[i] ?? []).map(wholeWords);
    return patternOf(`(?<name>${names.join('|')})${OF_YEAR}`, [i * 3 + 3, ((i * 3 + 4) % 12) + 1]);
  });

const PARTS = [...partsOfYear(6, 'H', 'half'), ...partsOfYear(3, '[QT]', 'quarter'), ...seasons()];

const NUMERIC = [
  String.raw`(?<![\d.])(?<year>\d{4})(?<sign>[-./_])(?<month>0?[1-9]|1[0-2])\k<sign>(?<day>0?[1-9]|[12]\d|3[01])(?!\d)`,
  String.raw`(?<![\d.])(?<year>${YEAR})[-/_](?<month>0[1-9]|1[0-2])(?![\d-])`,
  String.raw`(?<!\d)(?<year>(?:19|20)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?!\d)`,
  String.raw`(?<![\d.])(?<first>\d{1,2})(?<sign>[./-])(?<second>\d{1,2})\k<sign>(?<year>${YEAR}|\d{2})(?!\d)`,
  String.raw`(?<![\d./-])(?<month>0?[1-9]|1[0-2])[./](?<year>${YEAR})(?!\d)`,
  String.raw`(?<![\d.])(?<first>\d{1,2})(?<sign>\.)\s?(?<second>\d{1,2})\.(?!\d)`,
].map((source) => patternOf(source));

const ALONE_YEAR = patternOf(
  String.raw`(?<![\p{N}.,/:-])(?<year>${YEAR})(?![\p{N}/:]|[.,-]\d|['’]?s(?!\p{L}))`,
);

function makeNamed({ full, any }: CalendarNames): DatePattern[] {
  const names = String.raw`(?<name>${any})(?!\p{L})\.?`;
  const numeric = [
    String.raw`(?<=${L}(?:${timeWords(({ on }) => on)})\s)(?<first>\d{1,2})(?<sign>\/)(?<second>\d{1,2})(?![\d/])`,
    String.raw`(?:(?<year>\d{4})[年년]\s?)?(?<month>\d{1,2})[月월](?:\s?(?<day>\d{1,2})[日号일])?`,
    String.raw`(?<year>\d{4})[年년]`,
  ];
  const named = [
    String.raw`(?<!\d)(?<day>\d{1,2})(?:[.º]|-?\p{L}{1,2})?[\s_-]*${OF}${names}(?:[\s,_.-]+${OF}(?<year>${YEAR})(?!\d))?`,
    String.raw`${L}${names}[\s_-]+(?<day>\d{1,2})(?:\p{L}{2})?(?![\p{L}\p{N}:])(?:,?[\s_-]+(?<year>${YEAR})(?!\d))?`,
    String.raw`${L}${names}[\s,_.-]*${OF}(?<year>${YEAR})(?!\d)`,
    String.raw`${L}(?:[وبل])?(?<name>${full})${R}`,
  ];
  return [
    ...numeric.map((source) => patternOf(source)),
    ...PARTS,
    ...named.map((source) => patternOf(source)),
  ];
}

const namedPatterns = new WeakMap<CalendarNames, DatePattern[]>();

function patternsFor(text: string, names: CalendarNames): DatePattern[] {
  if (!/\p{L}/u.test(text)) return [...NUMERIC, ALONE_YEAR];
  const named = namedPatterns.get(names) ?? makeNamed(names);
  namedPatterns.set(names, named);
  return [...NUMERIC, ...named, ALONE_YEAR];
}

export function findDates(text: string, languages: readonly string[]): DateMention[] {
  const names = calendarNames(languages);
  const mentions: DateMention[] = [];
  for (const { pattern, months } of patternsFor(text, names)) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (mentions.some((other) => start < other.end && other.start < end)) continue;
      const around = [
        text.slice(Math.max(0, start - NEAR), start),
        text.slice(end, end + NEAR),
      ] as const;
      const mention = read(match, months, names, around);
      if (mention !== null) mentions.push({ ...mention, start, end });
    }
  }
  return mentions.sort((a, b) => a.start - b.start);
}
