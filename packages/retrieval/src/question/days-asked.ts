import { alternatives } from '../languages/index.ts';
import type { RowWords } from '../languages/language.ts';
import { type DateMention, findDates } from '../scope/dates.ts';

/** Days as numbers, 20240301 for 1 March 2024; both count. */
export interface DaySpan {
  from: number;
  to: number;
}

const LANGUAGES_OF_DAYS = ['en', 'de'];
const LAST_DAY = 99_991_231;

const before = (field: 'since' | 'after' | 'before' | 'until' | 'from' | 'between' | 'and') =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${alternatives(({ rows }) => rows?.[field as keyof Omit<RowWords, 'say'>])})\s+(?:the\s+|dem\s+|de[rn]\s+)?$`,
    'iu',
  );

const BEFORE = {
  since: before('since'),
  after: before('after'),
  before: before('before'),
  until: before('until'),
  from: before('from'),
  between: before('between'),
  and: before('and'),
};

/** Days that are meant by words which are read nowhere: 'since last summer'. */
const UNREAD = /(?<!\p{L})(?:since|until|till|seit|bis)(?!\p{L})/iu;

/** The first and the last day of what a mention names. */
function rangeOf({ months, day }: DateMention, year: number): DaySpan {
  const [first, last] = months ?? [1, 12];
  return {
    from: year * 10_000 + first * 100 + (day ?? 1),
    to: year * 10_000 + last * 100 + (day ?? 31),
  };
}

/** From which day on, or up to which one, a question asks: 'since March', 'from May to July 2024'. */
export function daysAsked(text: string): {
  span: DaySpan | null;
  said: string[];
  unclear: boolean;
} {
  const mentions = findDates(text, LANGUAGES_OF_DAYS);
  let span: DaySpan | null = null;
  const said: string[] = [];
  let pair: { from: number; start: number } | null = null;
  for (const [i, mention] of mentions.entries()) {
    const lead = text.slice(Math.max(0, mention.start - 30), mention.start);
    // In 'from March to May 2024' the year stands with the second one.
    const year = mention.year ?? mentions[i + 1]?.year ?? null;
    const is = (name: keyof typeof BEFORE): boolean => BEFORE[name].test(lead);
    const isBound = is('since') || is('after') || is('before') || is('until');
    if (year === null) {
      if (isBound) return { span: null, said: [], unclear: true };
      continue;
    }
    const { from, to } = rangeOf(mention, year);
    const whole: DaySpan = span ?? { from: 0, to: LAST_DAY };
    if (pair !== null && (is('and') || is('until'))) span = { from: pair.from, to };
    else if (is('since')) span = { ...whole, from };
    else if (is('after')) span = { ...whole, from: to + 1 };
    else if (is('before')) span = { ...whole, to: from - 1 };
    else if (is('until')) span = { ...whole, to };
    else if (is('from') || is('between')) pair = { from, start: mention.start };
    else continue;
    said.push(
      pair !== null && span !== null
        ? text.slice(pair.start, mention.end)
        : text.slice(mention.start, mention.end),
      ...Object.values(BEFORE).flatMap((pattern) => pattern.exec(lead)?.[0] ?? []),
    );
  }
  return { span, said: span === null ? [] : said, unclear: span === null && UNREAD.test(text) };
}
