import { timeWords } from '../scope/dates.ts';
import { readDates } from '../scope/relative.ts';

/** Days as numbers, 20240301 for 1 March 2024; both count. */
export interface DaySpan {
  from: number;
  to: number;
}

const LANGUAGES_OF_DAYS = ['en', 'de'];
const LAST_DAY = 99_991_231;

/** Days that are meant by words which are read nowhere: 'since last summer'. */
const UNREAD = new RegExp(
  String.raw`(?<!\p{L})(?:${timeWords(({ since }) => since)}|${timeWords(({ until }) => until)})\s\p{L}`,
  'iu',
);

/** From which day on, or up to which one, a question asks: 'since March 2024', 'from May to July 2024'. */
export function daysAsked(text: string): {
  span: DaySpan | null;
  said: string[];
  unclear: boolean;
} {
  const stretches = readDates(text, LANGUAGES_OF_DAYS, () => LAST_DAY).filter(({ open }) => open);
  if (stretches.length === 0) return { span: null, said: [], unclear: UNREAD.test(text) };
  // What day it is, nobody says here.
  if (stretches.some(({ relative, range }) => relative || range.openYear)) {
    return { span: null, said: [], unclear: true };
  }
  const span = {
    from: Math.max(...stretches.map(({ range }) => range.from)),
    to: Math.min(...stretches.map(({ range }) => range.to)),
  };
  return { span, said: stretches.map(({ start, end }) => text.slice(start, end)), unclear: false };
}
