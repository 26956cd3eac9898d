import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Shared answers. Revoking a link deletes its row. */
export const shares = pgTable('shares', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  historyId: uuid('history_id').notNull(),
  createdAt: instant('created_at').notNull(),
});

export type ShareRow = typeof shares.$inferSelect;
