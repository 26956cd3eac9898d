import { likelyLanguages } from '../analysis/languages.ts';
import { addDays, dayAt, startOfDay } from './calendar.ts';
import type { DateRange } from './dates.ts';
import { readDates } from './relative.ts';
import type { DateReference } from './relative.ts';
import { readUploads } from './uploads.ts';
import type { FileKind } from '../languages/language.ts';
import type { Span } from './uploads.ts';

/** What a question says of the files that shall answer it. */
export interface Scope {
  /** The question in the form that all offsets are of. */
  text: string;
  /** When they were uploaded: from one instant up to, and without, another. */
  uploaded: { from: Date; to: Date } | null;
  /** Of what kinds they are; empty for all. */
  kinds: FileKind[];
  /** The dates they tell of. */
  dates: DateReference[];
  /** Set when the files themselves are asked for. */
  list: { newest: boolean } | null;
  /** Stretches that say nothing of what stands in the files. */
  asides: Span[];
}

/** The form in which questions are read. */
export const normalizeQuestion = (text: string): string => text.normalize('NFC').trim();

export interface ScopeOptions {
  /** The instant at which it is asked. */
  now: Date;
  /** Where it is asked: an IANA time zone. */
  timeZone: string;
  /** The languages of the asker's files (ISO 639-1). */
  languages: readonly string[];
}

/** The languages in which a question may name months and days. */
const dateLanguages = (text: string, languages: readonly string[]): string[] =>
  [...new Set(['en', ...languages, ...likelyLanguages(text)])].sort();

const instants = ({ from, to }: DateRange, timeZone: string): { from: Date; to: Date } => ({
  from: startOfDay(from, timeZone),
  to: startOfDay(addDays(to, 1), timeZone),
});

/**
 * Reads what a question says of files: their names, the dates they tell of, when they were uploaded.
 * Most questions say nothing, which is told in some microseconds.
 */
export function readScope(question: string, { now, timeZone, languages }: ScopeOptions): Scope {
  const text = normalizeQuestion(question);
  const today = dayAt(now, timeZone);
  const dates = readDates(text, dateLanguages(text, languages), today);
  const uploads = readUploads(text, dates);
  const when = uploads?.when ?? null;
  // 'Today' asks for how things are, and 'since May' for what came of it: neither for a date.
  const own = dates.filter(
    (date) =>
      date !== when &&
      date.kind !== 'period' &&
      (date.kind === 'date' || date.range.from !== today),
  );
  return {
    text,
    uploaded: when === null ? null : instants(when.range, timeZone),
    kinds: uploads?.kinds ?? [],
    dates: uploads?.list === true ? [] : own,
    list: uploads?.list === true ? { newest: uploads.newest } : null,
    asides: [...(uploads?.spans ?? []), ...own.filter(({ kind }) => kind === 'relative')],
  };
}
