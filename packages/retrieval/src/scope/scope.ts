import { likelyLanguages } from '../text/languages.ts';
import type { Span } from '../types.ts';
import type { FileKind } from '../languages/language.ts';
import { addDays, dayAt, startOfDay } from './calendar.ts';
import { findNames, type NameIndex } from './names.ts';
import { type DateReference, readDates } from './relative.ts';
import { readUploads } from './uploads.ts';

export interface QuestionFiles {
  /** Upload times from one instant to before another. Empty for any time. */
  uploaded: { from: Date; to: Date }[];
  kinds: FileKind[];
  list: { newest: boolean } | null;
  named: readonly string[];
}

export const ALL_FILES: QuestionFiles = { uploaded: [], kinds: [], list: null, named: [] };

export interface Scope {
  files: QuestionFiles;
  dates: DateReference[];
  asides: Span[];
}

/** The normalized question that offsets refer to. */
export const normalizeQuestion = (text: string): string => text.normalize('NFC').trim();

export interface ScopeOptions {
  now: Date;
  timeZone: string;
  languages: readonly string[];
  names: NameIndex | null;
}

const NO_NAMES = { named: [], files: [], folders: [] };

const wordBefore = (text: string, { start }: Span): string | undefined =>
  /(?<!\p{L})\p{L}+(?=\s$)/u.exec(text.slice(0, start))?.[0].toLowerCase();

/** Upload times. Two are one period ('from March to May') unless the same word precedes both. */
function instantsOf(
  text: string,
  times: readonly DateReference[],
  timeZone: string,
): QuestionFiles['uploaded'] {
  const periods: DateReference[][] = [];
  for (const [index, time] of times.entries()) {
    const word = wordBefore(text, time);
    const isOther = word !== undefined && word === wordBefore(text, times[index - 1] ?? time);
    if (index === 0 || isOther) periods.push([time]);
    else periods.at(-1)?.push(time);
  }
  return periods.map((period) => {
    const first = Math.min(...period.map(({ range }) => range.from));
    const last = Math.max(...period.map(({ range }) => range.to));
    return { from: startOfDay(first, timeZone), to: startOfDay(addDays(last, 1), timeZone) };
  });
}

export function readScope(
  question: string,
  { now, timeZone, languages, names }: ScopeOptions,
): Scope {
  const text = normalizeQuestion(question);
  const today = dayAt(now, timeZone);
  const { named, files, folders } = names ? findNames(names, text) : NO_NAMES;
  const spoken = [...new Set(['en', ...languages, ...likelyLanguages(text)])].sort();
  // In 'In tax/2025' the year is a folder.
  const times = readDates(text, spoken, today).filter(
    (time) => !folders.some(({ start, end }) => time.start < end && start < time.end),
  );
  const uploads = readUploads(text, times, folders);
  const { kinds = [], when = [], list = null } = uploads ?? {};
  // 'Today' and 'since May' do not ask for documents of that date.
  const dates = times.filter(
    (time) =>
      !when.includes(time) &&
      time.kind !== 'period' &&
      (time.kind === 'date' || time.range.from !== today),
  );
  return {
    files: { uploaded: instantsOf(text, when, timeZone), kinds, list, named },
    dates: list === null ? dates : [],
    asides: [
      ...(uploads?.spans ?? []),
      ...files,
      ...folders,
      ...dates.filter(({ kind }) => kind === 'relative'),
    ],
  };
}
