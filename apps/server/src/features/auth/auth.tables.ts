import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/sql.ts';

export const users = pgTable('users', {
  id: uuid().primaryKey(),
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

export const signInCodes = pgTable(
  'sign_in_codes',
  {
    email: text().notNull(),
    /** The hash of the browser's cookie, '' for the newest code, or a pseudonym for a network's tries. */
    browser: text().notNull(),
    codeHash: text('code_hash'),
    tries: integer().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  ({ email, browser }) => [primaryKey({ columns: [email, browser] })],
);

export const signInLinks = pgTable('sign_in_links', {
  /** HMAC of the address and the link's key. */
  linkHash: text('link_hash').primaryKey(),
  email: text().notNull(),
  codeHash: text('code_hash').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const knownBrowsers = pgTable(
  'known_browsers',
  {
    userId: uuid('user_id').notNull(),
    browser: text().notNull(),
    signedInAt: instant('signed_in_at').notNull(),
  },
  ({ userId, browser }) => [primaryKey({ columns: [userId, browser] })],
);

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  refreshHash: text('refresh_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  device: text(),
  ip: text(),
  location: text(),
  browser: text(),
  lastUsedAt: instant('last_used_at').notNull(),
  provenAt: instant('proven_at').notNull(),
  /** Whether its cookie has the prefix __Secure-. If so, a cookie without it does not restore it. */
  secured: boolean().notNull(),
});

export const attempts = pgTable('attempts', {
  key: text().notNull(),
  at: instant('at').notNull(),
});

export type UserRow = typeof users.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
