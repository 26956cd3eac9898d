import { termsOf, wordOf } from '../text/words.ts';
import { calendarNames } from '../languages/calendar.ts';
import { fitOf, monthOf, yearOf } from '../scope/calendar.ts';
import { type DateRange, findDates } from '../scope/dates.ts';

export interface QuestionDate {
  range: DateRange;
  terms: readonly number[];
}

export interface SearchHint {
  term: string;
  weight: number;
}

const HINT = { part: 0.3, whole: 1 } as const;
const MIN_FIT = 0.3;

const pad = (value: number): string => String(value).padStart(2, '0');

function monthsOf({ from, to, grain }: DateRange): number[] {
  const month = monthOf(from);
  const count = grain === 'year' ? 0 : ((monthOf(to) - month + 12) % 12) + 1;
  return Array.from({ length: count }, (_, i) => ((month + i - 1) % 12) + 1);
}

export const monthTerms = (range: DateRange, languages: readonly string[]): string[] =>
  languages.flatMap((language) =>
    monthsOf(range)
      .flatMap((month) => calendarNames([language]).namesOf(month))
      .flatMap((name) => termsOf(wordOf(name), language)),
  );

/** Terms that files may have for a date: names, numbers and whole dates. */
export function dateHints(range: DateRange, languages: readonly string[]): SearchHint[] {
  const { from, to } = range;
  const [year, month, day] = [yearOf(from), monthOf(from), from % 100];
  const parts = [...monthTerms(range, languages), ...monthsOf(range).map(pad), String(year)];
  const fullDates = [String, pad].flatMap((digits) => {
    const [d, m] = [digits(day), digits(month)];
    return [`${year}-${m}-${d}`, `${d}.${m}.${year}`, `${d}/${m}/${year}`, `${m}/${d}/${year}`];
  });
  return [
    ...parts.map((term) => ({ term, weight: HINT.part })),
    ...(from === to ? [...new Set(fullDates)].map((term) => ({ term, weight: HINT.whole })) : []),
  ];
}

/** Whether a word such as 2026-03-14 is the date in question. */
export function matchesDate(word: string, range: DateRange): boolean {
  if (!/\d[-./]\d/u.test(word)) return false;
  return findDates(word, ['en']).some((mention) => fitOf(mention, range) > MIN_FIT);
}
