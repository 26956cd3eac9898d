import { pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Ids alone: nothing says whose they were. */
export const deletedAccounts = pgTable('deleted_accounts', {
  userId: uuid('user_id').primaryKey(),
  deletedAt: timestamp('deleted_at', { withTimezone: true }).notNull(),
});
