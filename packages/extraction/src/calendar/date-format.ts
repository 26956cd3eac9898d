export const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A local date and time. `month` counts from 1. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** '2026-03-02' */
export const isoDay = ({ year, month, day }: LocalTime): string =>
  `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;

/** 'Monday, 2 March 2026' */
export function dayInWords({ year, month, day }: LocalTime): string {
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return `${weekday}, ${day} ${MONTHS[month - 1]} ${year}`;
}

export const clock = ({ hour, minute }: LocalTime): string => `${pad(hour)}:${pad(minute)}`;

/** The local time of a moment, at an offset from UTC in minutes. */
export function localTime(ms: number, offsetMinutes = 0): LocalTime {
  const date = new Date(ms + offsetMinutes * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}
