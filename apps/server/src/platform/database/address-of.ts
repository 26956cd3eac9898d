import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/**
 * The address of the account whose id is in a column; null if the account has been deleted or gave its
 * address up.
 */
export const addressOf = (id: AnyColumn): SQL<string | null> =>
  sql<string | null>`(SELECT email FROM users WHERE id = ${id} AND email <> id::text)`;
