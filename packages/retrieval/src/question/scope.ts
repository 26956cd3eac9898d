import type { QuestionTerm } from './question-term.ts';
import { fitOf } from '../scope/calendar.ts';
import { findDates } from '../scope/dates.ts';
import type { DateRange } from '../scope/dates.ts';
import { calendarNames } from '../languages/calendar.ts';
import type { Scope } from '../scope/scope.ts';
import { SCOPE } from '../scope/weights.ts';
import { analyze, termsOf, wordOf } from '../analysis/words.ts';

/** A date that a question asks about. */
export interface QuestionDate {
  range: DateRange;
  /** The question's terms, as positions, that name it: a passage says them with the date. */
  terms: readonly number[];
}

/** A term to search for beside the question's own, with its weight. */
export interface SearchHint {
  term: string;
  weight: number;
}

/** The files that shall answer a question, as far as it says so. */
export interface QuestionFiles extends Pick<Scope, 'uploaded' | 'kinds' | 'list'> {
  /** Ids of files that it names: no other shall answer it. */
  named: readonly string[];
}

export const ALL_FILES: QuestionFiles = { uploaded: null, kinds: [], list: null, named: [] };

/** What of a question's scope its analysis takes in. */
export interface QuestionScope extends Pick<Scope, 'dates' | 'asides'> {
  /** Where it names files, with the names as the files have them. */
  names: readonly { start: number; end: number; fileNames: readonly string[] }[];
  files: QuestionFiles;
}

interface ScopedQuestion {
  dates: QuestionDate[];
  hints: SearchHint[];
}

export const NO_DATES: ScopedQuestion = { dates: [], hints: [] };

/** Where a term of the question stands. */
interface Place {
  start: number;
  end: number;
  term: number;
}

/** Lowers the terms that only say which files are meant, and makes the dates known in all spellings. */
export function applyScope(
  { dates, asides, names }: Omit<QuestionScope, 'files'>,
  terms: QuestionTerm[],
  places: readonly Place[],
  languages: readonly string[],
): ScopedQuestion {
  if (dates.length + asides.length + names.length === 0) return NO_DATES;
  const within = ({ start, end }: { start: number; end: number }): number[] => [
    ...new Set(places.filter((place) => place.start < end && start < place.end).map((p) => p.term)),
  ];
  const addVariants = (at: number, more: readonly string[]): void => {
    const term = terms[at];
    if (term) terms[at] = { ...term, variants: [...new Set([...term.variants, ...more])] };
  };
  // No file says 'Q2' or 'summer' where it gives dates: those are compared as dates.
  const wide = dates.filter(({ range }) => monthsOf(range).length > 1);
  const aside = new Set([
    ...asides.flatMap(within),
    ...wide.flatMap(within).filter((at) => !/^\d{4}$/u.test(terms[at]?.surface ?? '')),
  ]);
  for (const { fileNames, ...span } of names) {
    // However it is spelled: the file of that name has it.
    const known = languages.flatMap((language) =>
      fileNames.flatMap((name) => analyze(name, language)),
    );
    for (const at of within(span)) addVariants(at, known);
  }
  // A question of nothing else asks for these words themselves.
  if (places.some(({ term }) => !aside.has(term))) {
    for (const at of aside) {
      const term = terms[at];
      if (term) terms[at] = { ...term, weight: SCOPE.aside, name: false, capital: false };
    }
  }
  const asked = dates.map(({ range, kind, ...span }): QuestionDate => {
    const own = within(span);
    for (const at of kind === 'date' ? own : []) {
      const surface = terms[at]?.surface ?? '';
      if (/^\p{L}+$/u.test(surface)) addVariants(at, monthTerms(range, languages));
      // A day without its ending.
      else if (/^\d{1,2}\p{L}+$/u.test(surface)) addVariants(at, [`${parseInt(surface, 10)}`]);
    }
    return { range, terms: own };
  });
  return { dates: asked, hints: asked.flatMap(({ range }) => hintsOf(range, languages)) };
}

/** The months of a range, but those of a whole year. */
function monthsOf({ from, to, grain }: DateRange): number[] {
  if (grain !== 'month') return grain === 'day' ? [Math.floor(from / 100) % 100] : [];
  const [first, last] = [from, to].map((day) => Math.floor(day / 100) % 100) as [number, number];
  return Array.from(
    { length: ((last - first + 12) % 12) + 1 },
    (_, i) => ((first + i - 1) % 12) + 1,
  );
}

/** The names of a range's months in the files' languages: a season is none of them. */
const monthTerms = (range: DateRange, languages: readonly string[]): string[] =>
  languages.flatMap((language) =>
    monthsOf(range)
      .flatMap((month) => calendarNames([language]).namesOf(month))
      .flatMap((name) => termsOf(wordOf(name), language)),
  );

const two = (value: number): string => String(value).padStart(2, '0');

/** The terms that files may hold for a date: its names, its numbers, and these written together. */
function hintsOf(range: DateRange, languages: readonly string[]): SearchHint[] {
  const { from, to } = range;
  const [year, month, day] = [Math.floor(from / 10_000), Math.floor(from / 100) % 100, from % 100];
  const parts = [...monthTerms(range, languages), ...monthsOf(range).map(two), String(year)];
  const whole = [String, two].flatMap((digits) => {
    const [d, m] = [digits(day), digits(month)];
    return [`${year}-${m}-${d}`, `${d}.${m}.${year}`, `${d}/${m}/${year}`, `${m}/${d}/${year}`];
  });
  return [
    ...parts.map((term) => ({ term, weight: SCOPE.hintPart })),
    ...(from === to ? [...new Set(whole)].map((term) => ({ term, weight: SCOPE.hintWhole })) : []),
  ];
}

/** Whether a word such as 2026-03-14 says a date that is asked about. */
export function saysDate(word: string, range: DateRange): boolean {
  if (!/\d[-./]\d/u.test(word)) return false;
  return findDates(word, ['en']).some((mention) => fitOf(mention, range) > SCOPE.leastFit);
}
