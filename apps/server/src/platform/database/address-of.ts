import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/**
 * The address of the account whose id stands in a column; null where the account is gone, or on its
 * way out, when it has given its address up.
 */
export const addressOf = (id: AnyColumn): SQL<string | null> =>
  sql<string | null>`(SELECT email FROM users WHERE id = ${id} AND email <> id::text)`;
