import { isRow } from '../analysis/sentences.ts';
import { findDates } from '../scope/dates.ts';
import type { DateMention } from '../scope/dates.ts';
import type { DocumentKind, Fact } from './document.ts';
import { isMailHead, TABLES } from './kind.ts';
import type { Line, Paper } from './lines.ts';
import { wordPattern } from './words/paper-words.ts';

/** How much each place speaks for a day being the one that a paper is of. */
const WORTH = {
  mail: 100,
  labelled: 50,
  dayLine: 45,
  title: 40,
  fileName: 38,
  signed: 30,
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
export function dayOf(paper: Paper, kind: DocumentKind | null): Fact<string> | null {
  const { head, tail, name, title, languages } = paper;
  const found: Candidate[] = [];
  if (isMailHead(paper)) found.push(...mailDay(head));
  // The rows of a table have days of their own.
  const isTable = TABLES.has(paper.ending) || kind === 'calendar';
  const lines = isTable ? head.slice(0, 3).filter(({ text }) => !isRow(text)) : head;
  const last = kind === 'statement';
  lines.forEach((line, i) => found.push(...daysIn(line, i, paper, last)));
  if (!isTable) for (const line of tail) found.push(...daysIn(line, Infinity, paper, last));
  for (const [text, worth] of [
    [title ?? '', WORTH.title],
    [name, WORTH.fileName],
  ] as const) {
    if (!/\d/u.test(text)) continue;
    for (const mention of findDates(text, languages)) {
      const value = isoOf(mention);
      const own = mention.day === null ? WORTH.month : worth;
      if (value !== null) found.push({ value, start: 0, end: 0, worth: own });
    }
  }
  const best = found.reduce<Candidate | null>(
    (kept, one) => (kept === null || one.worth > kept.worth ? one : kept),
    null,
  );
  return best === null ? null : { value: best.value, start: best.start, end: best.end };
}

/** 'Date: Thu, 02 Oct 2024 07:00:00 +0100' in the head of a mail: the day where it was written. */
function mailDay(head: readonly Line[]): Candidate[] {
  return head.slice(0, 8).flatMap(({ text, start, end }): Candidate[] => {
    if (!/^(?:Date|Datum|Data|Fecha|Sent|Gesendet):/iu.test(text)) return [];
    const mention = findDates(text, ['en']).find(({ day, year }) => day !== null && year !== null);
    const value = mention === undefined ? null : isoOf(mention);
    return value === null ? [] : [{ value, start, end, worth: WORTH.mail }];
  });
}

/** @param last whether a paper of several days is of the last one: a statement of its period's end */
function daysIn(line: Line, index: number, { languages }: Paper, last: boolean): Candidate[] {
  if (!/\d/u.test(line.text)) return [];
  const mentions = findDates(line.text, languages).filter((mention) => isoOf(mention) !== null);
  return mentions.flatMap((mention, i): Candidate[] => {
    const value = isoOf(mention) ?? '';
    const place = { value, start: line.start + mention.start, end: line.start + mention.end };
    const later = Number.isFinite(index) ? index * WORTH.perLine : 0;
    const worth = worthOf(line, mention, languages, index);
    if (worth === 0) return [];
    const whole = mention.day !== null;
    const order = (last || worth >= WORTH.labelled ? i : -i) * 0.01;
    return [{ ...place, worth: (whole ? worth : Math.min(worth, WORTH.month)) - later + order }];
  });
}

function worthOf(
  { text, heading }: Line,
  mention: DateMention,
  languages: readonly string[],
  index: number,
): number {
  const before = text.slice(Math.max(0, mention.start - BEFORE), mention.start);
  if (endsWith(languages, 'dated').test(before))
    return index === Infinity ? WORTH.signed : WORTH.labelled;
  const rest = text.slice(0, mention.start) + text.slice(mention.end);
  if (index === Infinity) return 0;
  if (endsWith(languages, 'otherDay').test(before))
    return isRange(text) && heading ? WORTH.title : 0;
  if (rest.length <= BESIDE_DAY && !/[\d:;?!]/u.test(rest)) return WORTH.dayLine;
  if (heading || index === 0) return WORTH.title;
  return index < ANYWHERE_LINES ? WORTH.anywhere : 0;
}

const isRange = (text: string): boolean => (text.match(/(?:19|20)\d\d/gu) ?? []).length > 1;

const ends = new Map<string, RegExp>();

/** Whether a text ends with one of the words, a colon or 'the' after it. */
function endsWith(languages: readonly string[], name: 'dated' | 'otherDay'): RegExp {
  const key = `${name} ${languages.join(' ')}`;
  const known =
    ends.get(key) ??
    new RegExp(
      String.raw`${name === 'dated' ? String.raw`(?:^|[.;:,(–\t]\s?)` : ''}${wordPattern(languages, name).source}[ \t:.,]{0,3}(?:on |the |am |dem |den |le |el |o |il |de |\p{L}{2,10}, ?)?$`,
      'iu',
    );
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
