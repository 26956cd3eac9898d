import type { AccessScope, ConnectionKind } from '@engram/contract';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { AdapterPayload } from 'oidc-provider';
import { instant } from '../../platform/database/sql.ts';

export const connections = pgTable('connections', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  clientId: text('client_id').notNull(),
  name: text().notNull(),
  address: text(),
  verified: boolean().notNull(),
  kind: text().$type<ConnectionKind>().notNull(),
  scopes: text().array().$type<AccessScope[]>().notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
});

export const oauthClients = pgTable('oauth_clients', {
  id: text().primaryKey(),
  metadata: jsonb().$type<AdapterPayload>().notNull(),
  createdAt: instant('created_at').notNull(),
  connectedAt: instant('connected_at'),
});

export const oauthRecords = pgTable(
  'oauth_records',
  {
    kind: text().notNull(),
    id: text().notNull(),
    payload: jsonb().$type<AdapterPayload>().notNull(),
    connectionId: uuid('connection_id'),
    userId: uuid('user_id'),
    userCode: text('user_code'),
    consumedAt: instant('consumed_at'),
    /** When a device last polled, and its polling interval in seconds. */
    polledAt: instant('polled_at'),
    pollSeconds: integer('poll_seconds'),
    expiresAt: instant('expires_at').notNull(),
  },
  ({ kind, id }) => [primaryKey({ columns: [kind, id] })],
);

export type ConnectionRow = typeof connections.$inferSelect;
export type OauthRecordRow = typeof oauthRecords.$inferSelect;
