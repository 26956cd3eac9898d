import type { SecurityEventKind } from '@engram/contract';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Events about the security of accounts. */
export const securityEvents = pgTable('security_events', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<SecurityEventKind>().notNull(),
  ip: text(),
  device: text(),
  app: text(),
  createdAt: instant('created_at').notNull(),
});

export type SecurityEventRow = typeof securityEvents.$inferSelect;
