import { noSuchId } from './mcp.errors.ts';

/** A stretch of a file's text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

/** All of a text from some place on. */
export interface Rest {
  start: number;
  end: null;
}

/** A file, and what of its text is meant; null for all of it. */
export interface FilePlace {
  artifactId: string;
  stretch: Stretch | Rest | null;
}

const ID =
  /^(?<file>[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})(?::(?<start>\d{1,9})-(?<end>\d{0,9}))?$/iu;

/** What a passage is called, so that it can be fetched with what stands around it. */
export const idOf = (artifactId: string, { start, end }: Stretch): string =>
  `${artifactId}:${start}-${end}`;

/** What the text of a file from some place on is called. */
export const idOfRest = (artifactId: string, start: number): string => `${artifactId}:${start}-`;

/**
 * What an id of ours means.
 * @throws HttpError 400 where it is none.
 */
export function placeOf(id: string): FilePlace {
  const { file, start, end } = ID.exec(id.trim())?.groups ?? {};
  if (file === undefined) throw noSuchId();
  const artifactId = file.toLowerCase();
  if (start === undefined || end === undefined) return { artifactId, stretch: null };
  return { artifactId, stretch: { start: Number(start), end: end === '' ? null : Number(end) } };
}

/** Where a person opens a file in Engram, at a stretch of its text where one is meant. */
export function urlOf(origin: string, artifactId: string, stretch: FilePlace['stretch']): string {
  const to = stretch?.end ?? null;
  const place = stretch === null || to === null ? '' : `?from=${stretch.start}&to=${to}`;
  return `${origin}/source/${artifactId}${place}`;
}
