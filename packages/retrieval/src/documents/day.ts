import { isRow } from '../text/sentences.ts';
import { type DateMention, findDates } from '../scope/dates.ts';
import { type DocumentHead, type HeadLine, wordPattern } from './document-head.ts';

const WEIGHT = {
  labeled: 50,
  ownLine: 45,
  title: 40,
  fileName: 38,
  month: 20,
  otherLine: 12,
  perLine: 0.4,
} as const;

const OTHER_LINES = 10;
const BESIDE_DAY = 32;
const LABEL_LENGTH = 30;

interface Candidate {
  day: string;
  weight: number;
}

/** The day of a document as YYYY-MM-DD, by its date line, its labels, its title or its file name. */
export function dayOf(head: DocumentHead): string | null {
  const { lines, name, title, isTable } = head;
  const headLines = isTable ? lines.slice(0, 3).filter(({ text }) => !isRow(text)) : lines;
  const candidates = [
    ...headLines.flatMap((line, index) =>
      daysIn(line.text, head, (mention) => weightOf(mention, line, index, head)),
    ),
    ...daysIn(title ?? '', head, () => WEIGHT.title),
    ...daysIn(name, head, () => WEIGHT.fileName),
  ];
  return candidates.sort((a, b) => b.weight - a.weight)[0]?.day ?? null;
}

function daysIn(
  text: string,
  { languages }: DocumentHead,
  weigh: (mention: DateMention) => number,
): Candidate[] {
  if (!/\d/u.test(text)) return [];
  return findDates(text, languages).flatMap((mention): Candidate[] => {
    // 'SBM/2022-03' is a reference number.
    if (/[\p{L}\p{N}][/_-]$/u.test(text.slice(0, mention.start))) return [];
    const day = isoOf(mention);
    const maxWeight = mention.day === null ? WEIGHT.month : Infinity;
    const weight = Math.min(weigh(mention), maxWeight);
    return day === null || weight <= 0 ? [] : [{ day, weight }];
  });
}

function weightOf(
  { start, end }: DateMention,
  { text, heading }: HeadLine,
  index: number,
  { languages }: DocumentHead,
): number {
  // 'Adopted on 14 May 2019, changed on 16 May 2024': the last day in a line counts most.
  const penalty = index * WEIGHT.perLine - start / 10_000;
  const label = text.slice(Math.max(0, start - LABEL_LENGTH), start);
  if (endPattern(languages, 'dated').test(label)) return WEIGHT.labeled - penalty;
  if (endPattern(languages, 'otherDay').test(label)) return 0;
  const rest = text.slice(0, start) + text.slice(end);
  if (rest.length <= BESIDE_DAY && !/[\d:;?!]/u.test(rest)) return WEIGHT.ownLine - penalty;
  if (heading || index === 0) return WEIGHT.title - penalty;
  return index < OTHER_LINES ? WEIGHT.otherLine - penalty : 0;
}

const patterns = new Map<string, RegExp>();

function endPattern(languages: readonly string[], name: 'dated' | 'otherDay'): RegExp {
  const key = `${name} ${languages.join(' ')}`;
  const begin = name === 'dated' ? String.raw`(?:^|[.;:,(–\t]\s?)` : '';
  const source = String.raw`${begin}${wordPattern(languages, name).source}[ \t:.,]{0,3}(?:${wordPattern(languages, 'beforeDay').source} |\p{L}{2,10}, ?)?[*_]{0,2}$`;
  const pattern = patterns.get(key) ?? new RegExp(source, 'iu');
  patterns.set(key, pattern);
  return pattern;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** A date as YYYY-MM-DD, a month as its first day. Null without year or month. */
export function isoOf({ year, months, day, swapped }: DateMention): string | null {
  if (year === null || months === null || months[0] !== months[1]) return null;
  // 03/04/2024 is 3 April outside the United States.
  const [m, d] = swapped === undefined ? [months[0], day ?? 1] : [swapped.month, swapped.day];
  return `${year}-${pad(m)}-${pad(d)}`;
}
