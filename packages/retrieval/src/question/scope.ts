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
  /** Ids of files that it may name. */
  hinted: readonly string[];
}

export const ALL_FILES: QuestionFiles = {
  uploaded: null,
  kinds: [],
  list: null,
  named: [],
  hinted: [],
};

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
  // No file says 'Q2' or 'summer' where it gives dates: those are compared as dates.
  const wide = dates.filter(({ range }) => range.grain === 'month' && monthsOf(range).length > 1);
  const isYear = (at: number): boolean => /^\d{4}$/u.test(terms[at]?.surface ?? '');
  const aside = new Set([
    ...asides.flatMap(within),
    ...wide.flatMap(within).filter((at) => !isYear(at)),
  ]);
  for (const { fileNames, ...span } of names) {
    // However it is spelled: the file of that name has it.
    const known = languages.flatMap((language) =>
      fileNames.flatMap((name) => analyze(name, language)),
    );
    for (const at of within(span)) addVariants(terms, at, known);
  }
  // A question of nothing else asks for these words themselves.
  if (places.some(({ term }) => !aside.has(term))) {
    for (const at of aside) {
      const term = terms[at];
      if (term) terms[at] = { ...term, weight: SCOPE.aside, name: false, capital: false };
    }
  }
  const asked = dates.map(({ range, relative, ...span }): QuestionDate => {
    const own = within(span);
    if (!relative) for (const at of own) addSpellings(terms, at, range, languages);
    return { range, terms: own };
  });
  return { dates: asked, hints: asked.flatMap(({ range }) => hintsOf(range, languages)) };
}

const monthsOf = ({ from, to }: DateRange): number[] => {
  const [first, last] = [Math.floor(from / 100), Math.floor(to / 100)];
  const count =
    (Math.floor(last / 100) - Math.floor(first / 100)) * 12 + (last % 100) - (first % 100) + 1;
  return Array.from({ length: Math.min(count, 12) }, (_, i) => (((first % 100) - 1 + i) % 12) + 1);
};

const monthTerms = (month: number, languages: readonly string[]): string[] =>
  languages.flatMap((language) =>
    calendarNames([language])
      .namesOf(month)
      .flatMap((name) => termsOf(wordOf(name), language)),
  );

/** A month by its names in the files' languages, a season by its months, a day without its ending. */
function addSpellings(
  terms: QuestionTerm[],
  at: number,
  range: DateRange,
  languages: readonly string[],
): void {
  const term = terms[at];
  if (term === undefined || range.grain === 'year') return;
  const day = /^(\d{1,2})(?:st|nd|rd|th|er|º)?$/u.exec(term.surface.toLowerCase())?.[1];
  const more =
    day === undefined
      ? /^\p{L}+$/u.test(term.surface)
        ? monthsOf(range).flatMap((month) => monthTerms(month, languages))
        : []
      : [String(Number(day)), `${Number(day)}th`];
  addVariants(terms, at, more);
}

function addVariants(terms: QuestionTerm[], at: number, more: readonly string[]): void {
  const term = terms[at];
  if (term) terms[at] = { ...term, variants: [...new Set([...term.variants, ...more])] };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The terms that files may hold for a date: its names, its numbers, and these written together. */
function hintsOf(range: DateRange, languages: readonly string[]): SearchHint[] {
  const { from, to, grain } = range;
  const [year, month, day] = [Math.floor(from / 10_000), Math.floor(from / 100) % 100, from % 100];
  if (grain === 'year') return [{ term: String(year), weight: SCOPE.hintPart }];
  const hint =
    (weight: number) =>
    (term: string): SearchHint => ({ term, weight });
  const names = monthsOf(range).slice(0, 3);
  const hints = [
    ...names.flatMap((each) => monthTerms(each, languages)).map(hint(SCOPE.hintPart)),
    ...names.map(two).map(hint(SCOPE.hintPart)),
    hint(SCOPE.hintPart)(String(year)),
  ];
  if (from !== to) return hints;
  const [d, m] = [two(day), two(month)];
  const whole = [
    `${year}-${m}-${d}`,
    `${year}/${m}/${d}`,
    `${d}.${m}.${year}`,
    `${day}.${month}.${year}`,
    `${d}/${m}/${year}`,
    `${m}/${d}/${year}`,
    `${month}/${day}/${year}`,
    `${day}/${month}/${year}`,
  ];
  return [...hints, ...[...new Set(whole)].map(hint(SCOPE.hintWhole))];
}

/** Whether a word such as 2026-03-14 says a date that is asked about. */
export function saysDate(word: string, range: DateRange): boolean {
  if (!/\d[-./]\d/u.test(word)) return false;
  return findDates(word, ['en']).some((mention) => fitOf(mention, range) > SCOPE.leastFit);
}
