import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Ids of deleted accounts, without anything that identifies the user. */
export const deletedAccounts = pgTable('deleted_accounts', {
  userId: uuid('user_id').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
});

/** Contents that a user deleted and that are in a folder, as a keyed hash. */
export const deletedContents = pgTable(
  'deleted_contents',
  {
    userId: uuid('user_id').notNull(),
    content: text().notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.content] })],
);
