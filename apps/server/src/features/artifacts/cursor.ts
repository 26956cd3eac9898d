import { z } from 'zod';
import { invalidCursor } from '../../platform/http/errors.ts';
import type { Place, SortKey } from './listing.repository.ts';
import type { ListedRow } from './artifacts.tables.ts';

const shape = z.union([
  z.tuple([z.literal('created'), z.iso.datetime().refine(isStorable), z.uuid()]),
  z.tuple([z.literal('name'), z.string().refine(isText), z.uuid()]),
  z.tuple([z.literal('size'), z.int().nonnegative(), z.uuid()]),
]);

/** PostgreSQL knows no year 0. */
function isStorable(timestamp: string): boolean {
  return Date.parse(timestamp) > 0;
}

/** PostgreSQL knows no NUL in texts, and no half of a character. */
function isText(name: string): boolean {
  return !name.includes('\0') && name.isWellFormed();
}

const sortValue = (row: ListedRow, sort: SortKey): string | number => {
  if (sort === 'created') return row.createdAt.toISOString();
  return sort === 'name' ? row.fileName : row.size;
};

/** Where a list goes on after a row, as an opaque word. */
export const encodeCursor = (row: ListedRow, sort: SortKey): string =>
  Buffer.from(JSON.stringify([sort, sortValue(row, sort), row.id])).toString('base64url');

/** @throws HttpError 400 when the cursor is not one of ours, or of another order. */
export function decodeCursor(cursor: string | undefined, sort: SortKey): Place | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [of, value, id] = shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (of === sort) return { value, id };
  } catch {
    // Falls through to the refusal.
  }
  throw invalidCursor();
}
