import { email } from '@engram/contract';
import { invalidCursor } from '../../platform/http/errors.ts';

/** Where a list by address goes on after one, as an opaque word. */
export const addressCursor = (address: string): string =>
  Buffer.from(address).toString('base64url');

/**
 * The last address of the page before.
 * @throws HttpError 400 when the cursor is not one of ours.
 */
export function readAddressCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const { data } = email.safeParse(Buffer.from(cursor, 'base64url').toString());
  if (data !== undefined && addressCursor(data) === cursor) return data;
  throw invalidCursor();
}
