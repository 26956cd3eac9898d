import { MONTHS, WEEKDAYS } from './date-format.ts';
import { type Entry, valuesOf } from './content-lines.ts';
import { momentOf, momentsOf, shortDay } from './moments.ts';

type Rule = Readonly<Record<string, unknown>>;

const UNITS: Record<string, string> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const MAX_DAYS = 20;

const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** How an entry repeats: 'every 2 weeks on Tuesday until …'. Null if it does not. */
export function repetition(entry: Entry): string | null {
  const rules = valuesOf(entry, 'rrule').flatMap((rule) =>
    typeof rule === 'object' && rule !== null ? [ruleInWords(rule as Rule)] : [],
  );
  const added = daysOf(entry, 'rdate');
  const excluded = daysOf(entry, 'exdate');
  if (rules.length === 0 && added === '') return null;
  const also = added === '' ? '' : `${rules.length > 0 ? ', also ' : ''}on ${added}`;
  return `${joined(rules)}${also}${excluded === '' ? '' : `, except on ${excluded}`}`;
}

function daysOf(entry: Entry, name: string): string {
  const days = momentsOf(entry, name).map(shortDay);
  const more = days.length - MAX_DAYS;
  return more > 0 ? `${days.slice(0, MAX_DAYS).join(', ')} and ${more} more days` : joined(days);
}

function ruleInWords(rule: Rule): string {
  const unit = UNITS[String(rule['freq'])] ?? 'time';
  const interval = Number(rule['interval'] ?? 1);
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
  return [every, ...daysInWords(rule)].join(' ') + endInWords(rule);
}

function daysInWords(rule: Rule): string[] {
  const position = listOf(rule['bysetpos']).map(Number);
  const weekdays = listOf(rule['byday']).flatMap((value) => weekday(String(value), position));
  const monthDays = listOf(rule['bymonthday']).map(Number);
  const months = listOf(rule['bymonth']).flatMap((month) => MONTHS[Number(month) - 1] ?? []);
  const days = monthDays.map((day) => (day < 0 ? lastDay(-day) : `day ${day}`));
  return [
    ...(weekdays.length > 0 ? [`on ${joined(weekdays)}`] : []),
    ...(days.length > 0 ? [`on ${joined(days)}`] : []),
    ...(months.length > 0 ? [`in ${joined(months)}`] : []),
  ];
}

const lastDay = (day: number): string => (day === 1 ? 'the last day' : `day ${day} from the end`);

/** 'TU' as Tuesday, '2TU' as the second Tuesday, '-1FR' as the last Friday. */
function weekday(value: string, [position]: readonly number[]): string[] {
  const [, ordinal = '', day = ''] = /^([+-]?\d{0,2})([A-Z]{2})$/.exec(value) ?? [];
  const name = WEEKDAYS[DAYS.indexOf(day)];
  if (name === undefined) return [];
  const nth = ordinal === '' ? (position ?? 0) : Number(ordinal);
  if (nth === 0) return [name];
  if (nth === -1) return [`the last ${name}`];
  return [
    nth < 0 ? `the ${name} ${-nth} from the end` : `the ${ORDINALS[nth] ?? `${nth}th`} ${name}`,
  ];
}

function endInWords(rule: Rule): string {
  const until = momentOf(rule['until']);
  if (until !== null) return ` until ${shortDay(until)}`;
  const count = Number(rule['count'] ?? 0);
  return count > 0 ? `, ${count === 1 ? 'once' : `${count} times`}` : '';
}
