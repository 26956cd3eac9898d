const cached = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter costs more than using it; a list of a thousand rows uses one a thousand times. */
function formatter(
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
): Intl.DateTimeFormat {
  const key = `${locale}${timeZone}${JSON.stringify(options)}`;
  let found = cached.get(key);
  if (!found) cached.set(key, (found = new Intl.DateTimeFormat(locale, { ...options, timeZone })));
  return found;
}

const partsOf = (
  date: string | Date,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Partial<Record<Intl.DateTimeFormatPartTypes, string>> =>
  Object.fromEntries(
    formatter(timeZone, options)
      .formatToParts(new Date(date))
      .map(({ type, value }) => [type, value]),
  );

/** 'MMM D, YYYY hh:mm A', such as Nov 3, 2026 09:05 AM; in the device's zone unless one is given. */
export function formatDateTime(date: string | Date, timeZone?: string): string {
  const p = partsOf(date, timeZone, {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: true,
  });
  return `${p.month} ${p.day}, ${p.year} ${p.hour}:${p.minute} ${p.dayPeriod}`;
}

/** '9:52 AM PST'. */
export function formatTime(date: string | Date, timeZone: string, label: string): string {
  const p = partsOf(date, timeZone, { hour: 'numeric', minute: '2-digit', hour12: true });
  return `${p.hour}:${p.minute} ${p.dayPeriod} ${label}`;
}

/** English as it is spoken around the world: each knows short names for the zones near it alone. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA'] as const;

/** What a zone is called at a date, such as CET or CEST; 'GMT+9' where English has no short name. */
export function timeZoneName(date: string | Date, timeZone: string): string {
  const names = ENGLISH.map(
    (locale) =>
      formatter(timeZone, { timeZoneName: 'short' }, locale)
        .formatToParts(new Date(date))
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  return names.find((name) => !/\d/u.test(name)) ?? names[0] ?? '';
}

/** 'Friday, November 20, 2026'. */
export const formatLongDate = (date: string | Date, timeZone: string): string =>
  formatter(timeZone, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }).format(
    new Date(date),
  );

/** '20 November 2026'; in the device's zone unless one is given. */
export const formatDay = (date: string | Date, timeZone?: string): string =>
  formatter(timeZone, { day: 'numeric', month: 'long', year: 'numeric' }, 'en-GB').format(
    new Date(date),
  );

/** The calendar day in that zone, 'YYYY-MM-DD'. */
export function dayOf(date: string | Date, timeZone: string): string {
  const p = partsOf(date, timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' });
  return `${p.year}-${p.month}-${p.day}`;
}

const MB = 1_048_576;

/** Bytes in megabytes (2^20 bytes) with 2 decimals and no unit; '< 0.01' for what would round to 0.00. */
export function formatMegabytes(bytes: number): string {
  const rounded = (bytes / MB).toFixed(2);
  return bytes > 0 && rounded === '0.00' ? '< 0.01' : rounded;
}

/** Bytes in the unit that reads best, such as '482 KB' or '3.4 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < MB) return `${Math.min(1023, Math.max(1, Math.round(bytes / 1024)))} KB`;
  if (bytes < 1024 * MB) return `${(bytes / MB).toFixed(1)} MB`;
  return `${(bytes / (1024 * MB)).toFixed(1)} GB`;
}

/** A long name cut in the middle, so that its beginning and its ending stay. */
export function middleCut(name: string, max = 40): string {
  const letters = [...name];
  if (letters.length <= max) return name;
  const tail = Math.min(Math.floor(max / 3), 14);
  return `${letters
    .slice(0, max - tail - 1)
    .join('')
    .trimEnd()}…${letters.slice(-tail).join('').trimStart()}`;
}

/** Milliseconds as '4:12' or '1:04:12'. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = String(s).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${tail}` : `${m}:${tail}`;
}

/** 'one file', '2 files': a count with its noun. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** A change of a number with its sign, such as +100 or −1. */
export const formatChange = (change: number): string =>
  change < 0 ? `−${(-change).toLocaleString('en-US')}` : `+${change.toLocaleString('en-US')}`;
