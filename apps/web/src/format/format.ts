const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached, because creating one costs more than using it. */
function formatter(
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
): Intl.DateTimeFormat {
  const key = `${locale}${timeZone}${JSON.stringify(options)}`;
  let cached = formatters.get(key);
  if (!cached) {
    formatters.set(key, (cached = new Intl.DateTimeFormat(locale, { ...options, timeZone })));
  }
  return cached;
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

/** 'MMM D, YYYY hh:mm A', such as Nov 3, 2026 09:05 AM. In the device's zone by default. */
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

/** Each variant of English has short names only for the time zones of its region. */
const ENGLISH_LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA'] as const;

/** The name of a zone at a date, such as CET or CEST, or 'GMT+9' if English has no short name. */
export function timeZoneName(date: string | Date, timeZone: string): string {
  const names = ENGLISH_LOCALES.map(
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

/** '20 November 2026'. In the device's zone by default. */
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

/** Bytes in megabytes (2^20 bytes) with 2 decimals and no unit, or '< 0.01'. */
export function formatMegabytes(bytes: number): string {
  const rounded = (bytes / MB).toFixed(2);
  return bytes > 0 && rounded === '0.00' ? '< 0.01' : rounded;
}

/** Bytes in a fitting unit, such as '482 KB' or '3.4 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < MB) return `${Math.min(1023, Math.max(1, Math.round(bytes / 1024)))} KB`;
  if (bytes < 1024 * MB) return `${(bytes / MB).toFixed(1)} MB`;
  return `${(bytes / (1024 * MB)).toFixed(1)} GB`;
}

export function shortenMiddle(name: string, max = 40): string {
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

/** A count with its noun: '1 file', '2 files'. */
export const plural = (count: number, singular: string, pluralForm = `${singular}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? singular : pluralForm}`;

/** A change with its sign, such as +100 or −1. */
export const formatChange = (change: number): string =>
  change < 0 ? `−${(-change).toLocaleString('en-US')}` : `+${change.toLocaleString('en-US')}`;

/** 'Engram - Pro - monthly' is the plan 'Engram - Pro' with the frequency 'monthly'. */
export function partsOfPlan(name: string): { plan: string; frequency: string | null } {
  const [, plan, frequency] = /^(.+) - ([^-]+)$/u.exec(name) ?? [];
  return plan && frequency
    ? { plan: plan.trim(), frequency: frequency.trim() }
    : { plan: name, frequency: null };
}

/** The short name of a plan: 'Pro' of 'Engram - Pro - monthly', 'Starter' of 'Starter(Free)'. */
export const shortPlanName = (name: string): string =>
  (name.split(' - ')[1] ?? name).replace(/^([^(]*)\(.*\)$/u, '$1').trim();

/** A plan without the product's name: 'Pro - weekly' of 'Engram - Pro - weekly'. */
export const planWithPeriod = (name: string): string => name.replace(/^Engram - /u, '');

export const FREE_PLAN = 'Starter(Free)';

export const formatDollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** Gigabytes (10^9 bytes) in a fitting unit. Small amounts are not rounded to 0. */
export function formatGigabytes(gigabytes: number): string {
  if (gigabytes >= 1) return `${Number(gigabytes.toFixed(2))} GB`;
  if (gigabytes === 0) return '0 GB';
  const megabytes = gigabytes * 1000;
  return `${Math.max(0.1, Number(megabytes.toFixed(megabytes < 10 ? 1 : 0)))} MB`;
}

/** 'Monthly' for 'monthly'. */
export const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
