import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const keywords = pgTable('keywords', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  keyword: text().notNull(),
  isActive: boolean('is_active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});

export type KeywordRow = typeof keywords.$inferSelect;
