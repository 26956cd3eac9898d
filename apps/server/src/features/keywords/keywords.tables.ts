import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

export const keywords = pgTable('keywords', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  keyword: text().notNull(),
  isActive: boolean('is_active').notNull().default(true),
  isDefault: boolean('is_default').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

export type KeywordRow = typeof keywords.$inferSelect;
