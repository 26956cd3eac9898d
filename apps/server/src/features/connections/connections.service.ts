import type { Connection } from '@engram/contract';
import { and, desc, eq, gt, inArray, isNull, lte, not, or, sql } from 'drizzle-orm';
import { Provider } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { recordUse } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { createAuthorizationServer } from './authorization-server.ts';
import {
  type ConnectionRow,
  connections,
  oauthClients,
  oauthRecords,
} from './connections.tables.ts';
import { ACCESS_TOKEN, createRecordAdapter, GRANT, hashOfToken } from './record-adapter.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Retention of expired records, so that expired codes can be distinguished from unknown ones. */
const EXPIRED_RETENTION_MS = HOUR_MS;

const UNUSED_RETENTION_MS = DAY_MS;

/** Retention of apps without connections, since the last one was created. */
const DISCONNECTED_RETENTION_MS = 400 * DAY_MS;

/** Session tokens contain dots and do not match. */
const TOKEN_SHAPE = /^[\w-]{43}$/u;

/** Whether a bearer token may be the access token of a connected app. */
export const isAccessToken = (token: string): boolean => TOKEN_SHAPE.test(token);

const present = (row: ConnectionRow): Connection => ({
  id: row.id,
  name: row.name,
  address: row.address,
  verified: row.verified,
  kind: row.kind,
  scopes: row.scopes,
  connectedAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

function createConnectionsService({ storage, background, now }: Core) {
  const { database, emailOf } = storage;
  const { db } = database;

  const isAlive = (time: Date) => sql`EXISTS (
    SELECT FROM oauth_records
    WHERE connection_id = ${connections.id} AND kind <> ${GRANT}
      AND expires_at > ${time.toISOString()}::timestamptz)`;

  const isConnected = sql`EXISTS (
    SELECT FROM connections WHERE client_id = ${oauthClients.id})`;

  return {
    async list(userId: string): Promise<Connection[]> {
      const rows = await db
        .select()
        .from(connections)
        .where(and(eq(connections.userId, userId), isAlive(now())))
        .orderBy(desc(connections.createdAt), desc(connections.id));
      return rows.map(present);
    },

    async insert(row: Omit<ConnectionRow, 'createdAt' | 'lastUsedAt'>): Promise<void> {
      const createdAt = now();
      await database.transaction(async (tx) => {
        await tx.insert(connections).values({ ...row, createdAt });
        await tx
          .update(oauthClients)
          .set({ connectedAt: createdAt })
          .where(eq(oauthClients.id, row.clientId));
      });
    },

    async end(userId: string, id: string): Promise<string> {
      const [ended] = await db
        .delete(connections)
        .where(and(eq(connections.id, id), eq(connections.userId, userId)))
        .returning({ name: connections.name });
      if (ended) return ended.name;
      throw new HttpError(404, 'connection_not_found', 'There is no such connection.');
    },

    /** Ends all connections and pending requests of a user. Returns the number of connections. */
    async endAll(userId: string, executor: Executor = db): Promise<number> {
      const ended = await executor
        .delete(connections)
        .where(eq(connections.userId, userId))
        .returning({ id: connections.id });
      await executor.delete(oauthRecords).where(eq(oauthRecords.userId, userId));
      return ended.length;
    },

    /** The user of an access token, without the ADMIN role. @throws HttpError 401 */
    async authenticate(token: string, audience: string): Promise<Caller> {
      const isValid = and(
        eq(oauthRecords.kind, ACCESS_TOKEN),
        eq(oauthRecords.id, hashOfToken(token)),
        gt(oauthRecords.expiresAt, now()),
      );
      const [row] = isAccessToken(token)
        ? await db
            .select({ connection: connections, payload: oauthRecords.payload })
            .from(oauthRecords)
            .innerJoin(connections, eq(connections.id, oauthRecords.connectionId))
            .where(isValid)
        : [];
      const email = row && (await emailOf(row.connection.userId));
      if (!row || email === undefined) {
        const message = 'This access token is invalid or expired, or its connection was ended.';
        throw new HttpError(401, 'invalid_access_token', message);
      }
      const { connection, payload } = row;
      if (payload.aud !== audience) {
        const message =
          'This access token is for another address. Request one for the resource that you call.';
        throw new HttpError(401, 'foreign_access_token', message);
      }
      recordUse(database, connections, connection, now(), background);
      const { userId, id: connectionId } = connection;
      // A token may have fewer scopes than its connection.
      const readOnly = !(payload.scope ?? '').split(' ').includes('files:write');
      const session = { sessionId: null, apiKeyId: null, provenAt: null, device: null };
      return { userId, email, role: 'USER', connectionId, readOnly, ...session };
    },

    async deleteUnusedClients(newest: number): Promise<void> {
      const older = db
        .select({ id: oauthClients.id })
        .from(oauthClients)
        .where(isNull(oauthClients.connectedAt))
        .orderBy(desc(oauthClients.createdAt))
        .offset(newest);
      await db.delete(oauthClients).where(inArray(oauthClients.id, older));
    },

    async cleanUp(): Promise<void> {
      const time = now();
      const before = (ms: number): Date => new Date(time.getTime() - ms);
      const expired = before(EXPIRED_RETENTION_MS);
      await db
        .delete(connections)
        .where(and(lte(connections.createdAt, expired), not(isAlive(time))));
      await db.delete(oauthRecords).where(lte(oauthRecords.expiresAt, expired));
      const isUnused = and(
        isNull(oauthClients.connectedAt),
        lte(oauthClients.createdAt, before(UNUSED_RETENTION_MS)),
      );
      const isOld = lte(oauthClients.connectedAt, before(DISCONNECTED_RETENTION_MS));
      await db.delete(oauthClients).where(and(or(isUnused, isOld), not(isConnected)));
    },
  };
}

export type ConnectionsService = ReturnType<typeof createConnectionsService>;

/** Registrations of apps per network: ten per hour, in bursts of up to 20. */
const REGISTRATION_RATE = { perSecond: 10 / 3600, burst: 20 };

/** Attempts to enter a device code per user: one every six seconds, in bursts of up to ten. */
const USER_CODE_RATE = { perSecond: 1 / 6, burst: 10 };

/** Authorization requests per network: one per second, in bursts of up to 60. */
const REQUEST_RATE = { perSecond: 1, burst: 60 };

/** Connected apps and assistants, and the authorization server that connects them. */
export function createConnections(core: Core) {
  const { limitOf } = core.limits;
  const adapter = createRecordAdapter(core, ({ userId, name: app }) =>
    core.securityEvents.record({ kind: 'app_ended', userId, ip: Provider.ctx?.ip ?? '', app }),
  );
  return {
    server: createAuthorizationServer(core, adapter, core.providers.outside().fetch),
    service: createConnectionsService(core),
    registrations: limitOf('registrations', REGISTRATION_RATE),
    requests: limitOf('program requests', REQUEST_RATE),
    userCodes: limitOf('device codes', USER_CODE_RATE),
  };
}

export type Connections = ReturnType<typeof createConnections>;
