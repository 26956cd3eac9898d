import { z } from 'zod';
import { invalidCursor } from './errors.ts';

export interface DatedRow {
  id: string;
  createdAt: Date;
}

/** A time that PostgreSQL can store, which has no year 0. */
export const storableTime = z.iso.datetime().refine((timestamp) => Date.parse(timestamp) > 0);

/** Encodes the position after which the next page begins, such as a sort value and an id. */
export const encodeCursor = (position: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws HttpError 400 for an invalid cursor, or one of another list */
export function decodeCursor<Place>(
  cursor: string | undefined,
  shape: z.ZodType<Place>,
): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw invalidCursor();
  }
}

/** The rows of a page, and the next cursor. `rows` has one more than the limit if another page follows. */
export function pageOf<Row extends DatedRow>(
  rows: readonly Row[],
  limit: number | undefined,
): { shown: readonly Row[]; nextCursor: string | null } {
  const shown = limit === undefined ? rows : rows.slice(0, limit);
  const last = shown.at(-1);
  if (!last || rows.length === shown.length) return { shown, nextCursor: null };
  return { shown, nextCursor: encodeCursor([last.createdAt.toISOString(), last.id]) };
}

const datedPlace = z.tuple([storableTime, z.uuid()]);

export function readCursor(cursor: string | undefined): DatedRow | undefined {
  const place = decodeCursor(cursor, datedPlace);
  return place && { createdAt: new Date(place[0]), id: place[1] };
}

/** A page of a list that is sorted by a text, such as an address. */
export function pageBy<Row>(
  rows: readonly Row[],
  limit: number,
  textOf: (row: Row) => string,
): { data: Row[]; nextCursor: string | null } {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? encodeCursor([textOf(last)]) : null };
}

/** The last text of the earlier page. @throws HttpError 400 for an invalid cursor */
export const readTextCursor = (
  cursor: string | undefined,
  shape: z.ZodType<string>,
): string | undefined => decodeCursor(cursor, z.tuple([shape]))?.[0];
