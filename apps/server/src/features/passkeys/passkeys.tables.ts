import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/sql.ts';

export const passkeys = pgTable('passkeys', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  /** The authenticator's ID of the credential, in base64url. */
  credentialId: text('credential_id').notNull(),
  /** In COSE format. */
  publicKey: bytes('public_key').notNull(),
  /** The authenticator's signature counter; 0 if it does not count. */
  counter: bigint({ mode: 'number' }).notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

export const usedChallenges = pgTable('used_challenges', {
  challengeHash: text('challenge_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});

export type PasskeyRow = typeof passkeys.$inferSelect;
