import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/** The address of an account by its id; null if it was deleted or gave its address up. */
export const addressOf = (id: AnyColumn): SQL<string | null> =>
  sql<string | null>`(SELECT email FROM users WHERE id = ${id} AND email <> id::text)`;
