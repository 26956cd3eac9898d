import type { Location } from '@engram/contract';
import { fileLook, hasFields } from './file-types.ts';
import { formatDuration } from '../format/format.ts';

interface Place {
  /** What stands in a pill: 'Page 7', 'Rent, row 18', '4:12', 'docs/a.pdf · page 2'. */
  short: string;
  /** What is read out: 'page 7', 'at 4:12'. */
  spoken: string;
}

/** A cited file: what its name and, where it is known, its media type say. */
interface CitedFile {
  fileName: string;
  fileType?: string;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const NOWHERE: Place = { short: '', spoken: '' };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function placeInFile(location: Record<string, unknown>, file: CitedFile): Place {
  const same = (text: string): Place => ({ short: capitalized(text), spoken: text });
  const page = numberOf(location['page']);
  if (page !== null) return same(`page ${page}`);
  const slide = numberOf(location['slide']);
  if (slide !== null) return same(`slide ${slide}`);
  const row = numberOf(location['row']);
  if (row !== null) {
    const sheet = String(location['sheet'] ?? '');
    // The one table of a CSV file is called like the file.
    if (sheet === '' || sheet === file.fileName.replace(/^.*\/|\.[^.]*$/gu, '')) {
      return same(`row ${row}`);
    }
    const text = `${sheet}, row ${row}`;
    return { short: text, spoken: text };
  }
  const startMs = numberOf(location['startMs']);
  if (startMs !== null) {
    const time = formatDuration(startMs);
    return { short: time, spoken: `at ${time}` };
  }
  // Nobody could count the lines of a picture, or of what is shown in another form.
  if (fileLook(file).kind === 'image') return same('picture');
  const line = hasFields(file) ? null : numberOf(location['line']);
  return line === null ? NOWHERE : same(`line ${line}`);
}

/** {@link describeLocation} for a member of an archive, without its path. */
export const describeInMember = (location: Location, path: string): Place =>
  placeInFile(location, { fileName: path });

/** A place in a file, in words. Inside of an archive the member's path goes before it. */
export function describeLocation(location: Location, file: CitedFile): Place {
  if (!('path' in location)) return placeInFile(location, file);
  const path = String(location.path);
  const { spoken } = describeInMember(location, path);
  return spoken
    ? { short: `${path} · ${spoken}`, spoken: `${path}, ${spoken}` }
    : { short: path, spoken: path };
}
