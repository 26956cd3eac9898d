import type { AfterStoring, MailboxSecurity } from '@engram/contract';
import { bigint, boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant } from '../../platform/database/sql.ts';

export const mailboxes = pgTable('mailboxes', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  host: text().notNull(),
  port: integer().notNull(),
  security: text().$type<MailboxSecurity>().notNull(),
  username: text().notNull(),
  /** Encrypted; null if ENGRAM_MAIL_IN has it. */
  password: bytes(),
  folder: text().notNull(),
  afterStoring: text('after_storing').$type<AfterStoring>().notNull(),
  moveTo: text('move_to'),
  paused: boolean().notNull().default(false),
  checkedAt: instant('checked_at'),
  error: text(),
  /** The number of consecutive failed checks. */
  failures: integer().notNull().default(0),
  createdAt: instant('created_at').notNull(),
});

export const mailboxMessages = pgTable('mailbox_messages', {
  mailboxId: uuid('mailbox_id').notNull(),
  uidValidity: bigint('uid_validity', { mode: 'bigint' }).notNull(),
  uid: bigint({ mode: 'number' }).notNull(),
  fingerprint: bytes().notNull(),
  /** Whether the message needs no further change in the mailbox. */
  marked: boolean().notNull(),
  /** Why the message was not stored. */
  skipped: text(),
  subject: text(),
  sentAt: instant('sent_at'),
});

export type MailboxRow = typeof mailboxes.$inferSelect;
