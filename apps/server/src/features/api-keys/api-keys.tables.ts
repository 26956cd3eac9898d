import { boolean, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Keys of people's programs, by their SHA-256; revoking a key deletes its row. */
export const apiKeys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  keyHash: text('key_hash').notNull(),
  masked: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  lastUsedAt: timestamp('last_used_at', { withTimezone: true }),
  readOnly: boolean('read_only').notNull(),
  /** Null for a key that works until it is revoked. */
  expiresAt: timestamp('expires_at', { withTimezone: true }),
});

export type ApiKeyRow = typeof apiKeys.$inferSelect;
