import type { Location } from '@engram/contract';
import { formatDuration } from './format.ts';

interface Place {
  /** What stands in a pill: 'p. 7', 'Rent, row 18', '04:12'. */
  short: string;
  /** What is read out: 'page 7'. */
  spoken: string;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function placeInFile(location: Record<string, unknown>): Place | null {
  const page = numberOf(location['page']);
  if (page !== null) return { short: `p. ${page}`, spoken: `page ${page}` };
  const slide = numberOf(location['slide']);
  if (slide !== null) return { short: `slide ${slide}`, spoken: `slide ${slide}` };
  const row = numberOf(location['row']);
  if (row !== null) {
    const text = location['sheet'] ? `${String(location['sheet'])}, row ${row}` : `row ${row}`;
    return { short: text, spoken: text };
  }
  const startMs = numberOf(location['startMs']);
  if (startMs !== null) {
    const time = formatDuration(startMs).padStart(5, '0');
    return { short: time, spoken: `at ${time}` };
  }
  const line = numberOf(location['line']);
  return line === null ? null : { short: `line ${line}`, spoken: `line ${line}` };
}

/** A place in a file, in words. Inside of an archive the member's path goes before it. */
export function describeLocation(location: Location): Place {
  const place = placeInFile(location);
  if (!('path' in location)) return place ?? { short: '', spoken: '' };
  const path = String(location.path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return place
    ? { short: `${name}, ${place.short}`, spoken: `${path}, ${place.spoken}` }
    : { short: name, spoken: path };
}

/** The page of a file that is itself paged; null for other places, and for files in an archive. */
export const pageOf = (location: Location): number | null =>
  'path' in location ? null : numberOf('page' in location ? location.page : null);
