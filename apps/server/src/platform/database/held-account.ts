import { type SQL, sql } from 'drizzle-orm';

/**
 * A table of one row, the account's id, which cannot go before the transaction ends; none where it
 * is gone. Whoever holds a row of somebody's takes it from a join with this, so that the account is
 * held first, as where an account is deleted: two that hold the same rows in another order would
 * wait for each other.
 */
export const heldAccount = (userId: string): SQL =>
  sql`(SELECT id FROM users WHERE id = ${userId} FOR KEY SHARE) AS account`;
