import { pgTable, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Answers that whoever has their link may read; revoking a link deletes its row. */
export const shares = pgTable('shares', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  historyId: uuid('history_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});

export type ShareRow = typeof shares.$inferSelect;
