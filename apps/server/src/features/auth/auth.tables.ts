import { boolean, customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const instant = (name: string) => timestamp(name, { withTimezone: true });

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  /** In lower case. */
  email: text().notNull(),
  name: text(),
  altEmail: text('alt_email'),
  phone: text(),
  role: text().$type<'USER' | 'ADMIN'>().notNull().default('USER'),
  country: text(),
  profileImage: bytes('profile_image'),
  ip: text(),
  device: text(),
  location: text(),
  agreedTermsAt: instant('agreed_terms_at'),
  questionnaireAnsweredAt: instant('questionnaire_answered_at'),
  createdAt: instant('created_at').notNull(),
  deviceTimeZone: boolean('device_time_zone').notNull().default(false),
});

export const signInCodes = pgTable('sign_in_codes', {
  email: text().primaryKey(),
  codeHash: text('code_hash').notNull(),
  tries: integer().notNull().default(0),
  expiresAt: instant('expires_at').notNull(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  refreshHash: text('refresh_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  /** SESSION_TTL_MS after the last rotation of the refresh secret, so it also tells when that was. */
  expiresAt: instant('expires_at').notNull(),
});

export const attempts = pgTable('attempts', {
  key: text().notNull(),
  at: instant('at').notNull(),
});

/** One person's account. */
export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
