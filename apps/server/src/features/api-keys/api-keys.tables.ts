import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/sql.ts';

/** Revoking a key deletes its row. */
export const apiKeys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  keyHash: text('key_hash').notNull(),
  masked: text().notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
  readOnly: boolean('read_only').notNull(),
  expiresAt: instant('expires_at'),
});

export type ApiKeyRow = typeof apiKeys.$inferSelect;
