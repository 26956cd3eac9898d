import { fileTypeEntry, typeOfMedia, typeOfName } from './file-type-lookup.ts';
import type { FileKind } from './file-types.ts';
import type { Location } from './values.ts';

/** A part of a file's text that has one location; offsets in UTF-16 units. */
interface LocatedText {
  start: number;
  end: number;
  location: Location;
}

/** A file's text, or a part of it, with its segments in the order of the text. */
export interface LocatedDocument {
  text: string;
  /** The start of `text` in the text of the file, 0 by default. */
  textStart?: number;
  segments: readonly LocatedText[];
}

/**
 * The location of a quote by its offsets in the text of the file: its first line, page, slide or
 * row, or its time range. `document` needs the segments of the quote and the text from the first of
 * them.
 */
export function locationAt(
  { text, textStart = 0, segments }: LocatedDocument,
  { start, end }: { start: number; end: number },
): Location {
  const first = segments.findLast((segment) => segment.start <= start) ?? segments[0];
  if (first === undefined) return { line: 1 };
  const { location } = first;
  if ('line' in location) {
    const linesBefore =
      text.slice(first.start - textStart, start - textStart).split('\n').length - 1;
    return { ...location, line: Number(location.line) + linesBefore };
  }
  if ('endMs' in location) {
    const last = segments.findLast((segment) => segment.start < end)?.location ?? location;
    const endMs = 'endMs' in last ? Number(last.endMs) : 0;
    return { ...location, endMs: Math.max(Number(location.endMs), endMs) };
  }
  return location;
}

function clock(ms: number): string {
  const [seconds, minutes] = [Math.floor(ms / 1000) % 60, Math.floor(ms / 60_000)];
  const [minute, hour] = [minutes % 60, Math.floor(minutes / 60)];
  const padded = (n: number): string => String(n).padStart(2, '0');
  return hour > 0 ? `${hour}:${padded(minute)}:${padded(seconds)}` : `${minute}:${padded(seconds)}`;
}

/** A cited file. Its name, or else its media type, determine its type. */
export interface CitedFile {
  fileName: string;
  fileType?: string | undefined;
}

const kindOf = ({ fileName, fileType = '' }: CitedFile): FileKind => {
  const type = typeOfName(fileName) ?? typeOfMedia(fileType);
  if (type !== null) return fileTypeEntry(type).kind;
  return fileType.toLowerCase().startsWith('image/') ? 'image' : 'text';
};

/**
 * A location in words, such as 'page 3' or 'at 4:12', or an empty string. Lines are named only in
 * text files.
 */
export function placeInFile(location: Location, file: CitedFile): string {
  const { page, slide, sheet, row, startMs, line } = location as Record<string, unknown>;
  if (page !== undefined) return `page ${String(page)}`;
  if (slide !== undefined) return `slide ${String(slide)}`;
  if (row !== undefined) {
    // The table of a CSV file has the name of the file.
    const isOnly = !sheet || sheet === file.fileName.replace(/^.*\/|\.[^.]*$/gu, '');
    return isOnly ? `row ${String(row)}` : `${String(sheet)}, row ${String(row)}`;
  }
  if (typeof startMs === 'number') return `at ${clock(startMs)}`;
  const kind = kindOf(file);
  if (kind === 'image') return 'picture';
  return kind === 'text' && line !== undefined ? `line ${String(line)}` : '';
}

/** A location in words, in archives after the path of the member: 'docs/a.pdf, page 2'. */
export function locationText(location: Location, file: CitedFile): string {
  if (!('path' in location)) return placeInFile(location, file);
  const { path } = location;
  return [path, placeInFile(location, { fileName: path })].filter(Boolean).join(', ');
}
