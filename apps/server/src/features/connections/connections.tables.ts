import type { AccessScope, ConnectionKind } from '@engram/contract';
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { AdapterPayload } from 'oidc-provider';
import { instant } from '../../platform/database/columns.ts';

/** Programs that people have let in; deleting a row ends everything that the program was given. */
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

/** Programs that registered themselves. */
export const oauthClients = pgTable('oauth_clients', {
  id: text().primaryKey(),
  metadata: jsonb().$type<AdapterPayload>().notNull(),
  createdAt: instant('created_at').notNull(),
  /** When somebody last let it in; null while nobody has. */
  connectedAt: instant('connected_at'),
});

/** What the authorization server keeps for a while: requests, codes, tokens. */
export const oauthRecords = pgTable(
  'oauth_records',
  {
    kind: text().notNull(),
    /** Of codes and tokens their SHA-256. */
    id: text().notNull(),
    payload: jsonb().$type<AdapterPayload>().notNull(),
    connectionId: uuid('connection_id'),
    userId: uuid('user_id'),
    /** Keyed hash of what a person types to let a device in. */
    userCode: text('user_code'),
    consumedAt: instant('consumed_at'),
    /** When a device last asked whether it was let in, and how often it may, in seconds. */
    polledAt: instant('polled_at'),
    pollSeconds: integer('poll_seconds'),
    expiresAt: instant('expires_at').notNull(),
  },
  ({ kind, id }) => [primaryKey({ columns: [kind, id] })],
);

export type ConnectionRow = typeof connections.$inferSelect;
export type OauthRecordRow = typeof oauthRecords.$inferSelect;
