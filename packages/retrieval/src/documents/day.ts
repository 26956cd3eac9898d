import { isRow } from '../analysis/sentences.ts';
import { type DateMention, findDates, mayNameDate } from '../scope/dates.ts';
import type { Fact } from './document.ts';
import { type Line, type Paper } from './lines.ts';
import { wordPattern } from './document-words.ts';

/** How much each place speaks for a day being the one that a paper is of. */
const WORTH = {
  labelled: 50,
  dayLine: 45,
  title: 40,
  fileName: 38,
  /** Only a month, in the title or the name. */
  month: 20,
  anywhere: 12,
  /** What each line further down takes. */
  perLine: 0.4,
} as const;

/** Lines in which a day counts that nothing marks. */
const ANYWHERE_LINES = 10;
/** Letters beside the day in a line of its own: the place and the day of the week. */
const BESIDE_DAY = 32;
/** Characters before a day that say what it is. */
const BEFORE = 30;

interface Candidate extends Fact<string> {
  worth: number;
}

/** The day a paper is of, as far as it says so: by its date line, its labels, its title or its name. */
export function dayOf(paper: Paper): Fact<string> | null {
  const { head, name, title, isTable } = paper;
  // The rows of a table have days of their own.
  const lines = isTable ? head.slice(0, 3).filter(({ text }) => !isRow(text)) : head;
  const named = [
    { text: title ?? '', worth: WORTH.title },
    { text: name, worth: WORTH.fileName },
  ];
  const found = [
    ...lines.flatMap((line, at) => daysIn(line, paper, worthIn(line, paper, at))),
    ...named.flatMap(({ text, worth }) =>
      daysIn({ text, start: 0, end: 0 }, paper, () => worth).map((day) => ({
        ...day,
        end: 0,
        start: 0,
      })),
    ),
  ];
  const [best] = found.sort((a, b) => b.worth - a.worth);
  return best === undefined ? null : { value: best.value, start: best.start, end: best.end };
}

type Worth = (mention: DateMention) => number;

function daysIn(
  { text, start }: Omit<Line, 'heading'>,
  { languages }: Paper,
  worthOf: Worth,
): Candidate[] {
  if (!/\d/u.test(text) || !mayNameDate(text, languages)) return [];
  return findDates(text, languages).flatMap((mention): Candidate[] => {
    // 'SBM/2022-03' is the number of a paper.
    if (/[\p{L}\p{N}][/_-]$/u.test(text.slice(0, mention.start))) return [];
    const value = isoOf(mention);
    const all = worthOf(mention);
    const worth = mention.day === null ? Math.min(all, WORTH.month) : all;
    const place = { start: start + mention.start, end: start + mention.end };
    return value === null || worth <= 0 ? [] : [{ value, ...place, worth }];
  });
}

const worthIn =
  (line: Line, paper: Paper, at: number): Worth =>
  ({ start, end }) => {
    const { text, heading } = line;
    // 'Adopted on 14 May 2019, changed on 16 May 2024': the last one of a line.
    const later = at * WORTH.perLine - start / 10_000;
    if (isDated(line, paper, start)) return WORTH.labelled - later;
    const rest = text.slice(0, start) + text.slice(end);
    const isOther = endsWith(paper.languages, 'otherDay').test(beforeIn(text, start));
    if (isOther) return 0;
    if (rest.length <= BESIDE_DAY && !/[\d:;?!]/u.test(rest)) return WORTH.dayLine - later;
    if (heading || at === 0) return WORTH.title - later;
    return at < ANYWHERE_LINES ? WORTH.anywhere - later : 0;
  };

const beforeIn = (text: string, start: number): string =>
  text.slice(Math.max(0, start - BEFORE), start);

const isDated = ({ text }: Line, { languages }: Paper, start: number): boolean =>
  endsWith(languages, 'dated').test(beforeIn(text, start));

const ends = new Map<string, RegExp>();

/** Whether a text ends with one of the words, a colon or 'the' after it. */
function endsWith(languages: readonly string[], name: 'dated' | 'otherDay'): RegExp {
  const key = `${name} ${languages.join(' ')}`;
  const begin = name === 'dated' ? String.raw`(?:^|[.;:,(–\t]\s?)` : '';
  const source = String.raw`${begin}${wordPattern(languages, name).source}[ \t:.,]{0,3}(?:${wordPattern(languages, 'beforeDay').source} |\p{L}{2,10}, ?)?[*_]{0,2}$`;
  const known = ends.get(key) ?? new RegExp(source, 'iu');
  ends.set(key, known);
  return known;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A mention as YYYY-MM-DD, a month as its first day; null where year or month are missing. */
export function isoOf({ year, months, day, swapped }: DateMention): string | null {
  if (year === null || months === null || months[0] !== months[1]) return null;
  // 03/04/2024 is the third of April everywhere but in the United States.
  const [m, d] = swapped === undefined ? [months[0], day ?? 1] : [swapped.month, swapped.day];
  return `${year}-${two(m)}-${two(d)}`;
}
