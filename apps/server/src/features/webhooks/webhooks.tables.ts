import type { WebhookDelivery, WebhookEvent, WebhookState } from '@engram/contract';
import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/sql.ts';

export const webhooks = pgTable('webhooks', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  description: text(),
  state: text().$type<WebhookState>().notNull(),
  /** The secret is derived from this and the server's secret. */
  secretId: uuid('secret_id').notNull(),
  previousSecretId: uuid('previous_secret_id'),
  rotatedAt: instant('rotated_at'),
  failingSince: instant('failing_since'),
  createdAt: instant('created_at').notNull(),
});

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: uuid().primaryKey(),
  webhookId: uuid('webhook_id').notNull(),
  type: text().$type<WebhookDelivery['type']>().notNull(),
  data: jsonb().$type<object>().notNull(),
  state: text().$type<WebhookDelivery['state']>().notNull(),
  attempts: integer().notNull().default(0),
  attemptedAt: instant('attempted_at'),
  status: integer(),
  error: text(),
  nextAttemptAt: instant('next_attempt_at'),
  createdAt: instant('created_at').notNull(),
});

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
