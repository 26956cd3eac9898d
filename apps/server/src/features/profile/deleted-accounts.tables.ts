import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Ids alone: nothing says whose they were. */
export const deletedAccounts = pgTable('deleted_accounts', {
  userId: uuid('user_id').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
});
