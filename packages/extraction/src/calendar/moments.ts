import ICAL from 'ical.js';
import { clock, dayInWords, isoDay, localTime, type LocalTime } from './date-format.ts';
import type { Entry, Property } from './content-lines.ts';

export interface Moment {
  time: LocalTime;
  wholeDay: boolean;
  /** 'Europe/Berlin' or 'UTC'. '' for local time. */
  zone: string;
}

/** Some programs write dates without declaring them: they have the time `T::`. */
const VALUE = /^(\d{4})-(\d\d)-(\d\d)(?:T::|T(\d\d):(\d\d)(?::\d\d)?(Z)?)?$/;

export function momentsOf(entry: Entry, name: string, ownZone = ''): Moment[] {
  return entry.properties
    .filter((property) => property.name === name)
    .flatMap(({ values, params }) => {
      const zone = typeof params['tzid'] === 'string' ? params['tzid'] : '';
      return values.flatMap((value) => momentOf(value, zoneName(zone), ownZone) ?? []);
    });
}

/** The plain name of a zone: some programs write '/example.org/2005/Europe/Berlin'. */
const zoneName = (id: string): string =>
  id.startsWith('/') ? id.split('/').slice(-2).join('/') : id;

/** A date or date-time of jCal (RFC 7265, 3.6), or null for anything else. */
export function momentOf(value: unknown, zone = '', ownZone = ''): Moment | null {
  const parts = VALUE.exec(String(value));
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1, 6).map(Number);
  const ms = Date.UTC(year, month - 1, day, hour || 0, minute || 0);
  const time = localTime(ms);
  if (time.month !== month || time.day !== day) return null;
  if (parts[4] === undefined) return { time, wholeDay: true, zone: '' };
  if (parts[6] === undefined) return { time, wholeDay: false, zone: zone.slice(0, 60) };
  const offset = ownZone === '' ? null : offsetOf(ms, ownZone);
  return offset === null
    ? { time, wholeDay: false, zone: 'UTC' }
    : { time: localTime(ms, offset), wholeDay: false, zone: ownZone };
}

/** Offset of a time zone from UTC in minutes, or null if there is no such zone. */
function offsetOf(ms: number, zone: string): number | null {
  try {
    const local = new Date(ms).toLocaleString('sv-SE', { timeZone: zone });
    return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - ms) / 60_000);
  } catch {
    return null;
  }
}

export function endOf(entry: Entry, start: Moment, ownZone: string): Moment | null {
  const [end] = momentsOf(entry, 'dtend', ownZone);
  const length = secondsOf(entry.properties.find(({ name }) => name === 'duration'));
  if (end === undefined && length === null) return null;
  const last = end ?? { ...start, time: addMs(start.time, (length ?? 0) * 1000) };
  // The end of an all-day event is the day after the last one (RFC 5545, 3.6.1).
  return last.wholeDay ? { ...last, time: addMs(last.time, -86_400_000) } : last;
}

function secondsOf(property: Property | undefined): number | null {
  try {
    return property ? ICAL.Duration.fromString(String(property.values[0])).toSeconds() : null;
  } catch {
    return null;
  }
}

const toUtcMs = ({ year, month, day, hour, minute }: LocalTime): number =>
  Date.UTC(year, month - 1, day, hour, minute);
const addMs = (time: LocalTime, ms: number): LocalTime => localTime(toUtcMs(time) + ms);

/** 'Friday, 6 March 2026, 19:00 to 21:30 (2026-03-06, Europe/Berlin)' */
export function momentText(start: Moment, end: Moment | null = null): string {
  const until = end !== null && toUtcMs(end.time) > toUtcMs(start.time) ? end : null;
  const from = isoDay(start.time);
  const to = until === null ? from : isoDay(until.time);
  const momentInWords = ({ time, wholeDay }: Moment): string =>
    wholeDay ? dayInWords(time) : `${dayInWords(time)}, ${clock(time)}`;
  const span =
    until === null
      ? momentInWords(start)
      : `${momentInWords(start)} to ${from === to ? clock(until.time) : momentInWords(until)}`;
  const days = from === to ? from : `${from} to ${to}`;
  return `${span} (${[days, ...(start.zone === '' ? [] : [start.zone])].join(', ')})`;
}

/** '6 March 2026 (2026-03-06)' */
export function shortDay({ time }: Moment): string {
  return `${dayInWords(time).replace(/^[A-Za-z]+, /, '')} (${isoDay(time)})`;
}
