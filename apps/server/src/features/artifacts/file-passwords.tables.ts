import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/sql.ts';

export const extractionPasswords = pgTable('reading_passwords', {
  artifactId: uuid('artifact_id').primaryKey(),
  encrypted: bytes().notNull(),
});

export const savedPasswords = pgTable('saved_passwords', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** The file for which it was entered. */
  fileName: text('file_name').notNull(),
  encrypted: bytes().notNull(),
  createdAt: instant('created_at').notNull(),
});
