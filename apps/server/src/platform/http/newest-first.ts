import { z } from 'zod';
import { invalidCursor } from './errors.ts';

export interface DatedRow {
  id: string;
  createdAt: Date;
}

// PostgreSQL knows no year 0.
const storable = z.iso.datetime().refine((timestamp) => Date.parse(timestamp) > 0);
const cursorShape = z.tuple([storable, z.uuid()]);

/** The rows of a page and the cursor of the next. `rows` has one more than the limit if there are more. */
export function pageOf<Row extends DatedRow>(
  rows: readonly Row[],
  limit: number | undefined,
): { shown: readonly Row[]; nextCursor: string | null } {
  const shown = limit === undefined ? rows : rows.slice(0, limit);
  const last = shown.at(-1);
  if (!last || rows.length === shown.length) return { shown, nextCursor: null };
  const place = JSON.stringify([last.createdAt.toISOString(), last.id]);
  return { shown, nextCursor: Buffer.from(place).toString('base64url') };
}

export function readCursor(cursor: string | undefined): DatedRow | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, id] = cursorShape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { createdAt: new Date(at), id };
  } catch {
    throw invalidCursor();
  }
}

/** A page of a list that is ordered by a text, such as an address. */
export function pageBy<Row>(
  rows: readonly Row[],
  limit: number,
  textOf: (row: Row) => string,
): { data: Row[]; nextCursor: string | null } {
  const data = rows.slice(0, limit);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, nextCursor: last ? Buffer.from(textOf(last)).toString('base64url') : null };
}

/** The text that the page before ended with. @throws HttpError 400 for an invalid cursor */
export function readTextCursor(
  cursor: string | undefined,
  shape: z.ZodType<string>,
): string | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const { data } = shape.safeParse(bytes.toString());
  if (data === undefined || bytes.toString('base64url') !== cursor) throw invalidCursor();
  return data;
}
