import type { DeviceReport } from '@engram/contract';
import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Devices that sync folders. */
export const devices = pgTable('devices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** Null for a device that calls with an API key. */
  connectionId: uuid('connection_id'),
  name: text().notNull(),
  platform: text().notNull(),
  version: text().notNull(),
  report: jsonb().$type<DeviceReport>(),
  paused: boolean().notNull().default(false),
  syncAskedAt: instant('sync_asked_at'),
  createdAt: instant('created_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
});

export type DeviceRow = typeof devices.$inferSelect;
