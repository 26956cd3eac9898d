import { type SQL, sql } from 'drizzle-orm';

/**
 * A table with the account's id, locked until the transaction ends; empty if the account was deleted.
 * Rows of a user are locked in a join with this, so that the account is locked first as in a deletion.
 * Otherwise two transactions could deadlock.
 */
export const heldAccount = (userId: string): SQL =>
  sql`(SELECT id FROM users WHERE id = ${userId} FOR KEY SHARE) AS account`;
