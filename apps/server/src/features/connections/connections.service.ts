import type { Connection } from '@engram/contract';
import type { Background } from '../../platform/background.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { recordUse } from '../../platform/database/last-used.ts';
import type { Caller } from '../../platform/http/mount.ts';
import * as failures from './connections.errors.ts';
import type { ConnectionsRepository } from './connections.repository.ts';
import { type ConnectionRow, connections } from './connections.tables.ts';
import { hashOfToken } from './record-ids.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** How long what has expired is still told from what never was, such as a device's code. */
const EXPIRED_KEPT_MS = HOUR_MS;

/** How long a program that registered itself may wait for somebody to let it in. */
const UNUSED_KEPT_MS = DAY_MS;

/** How long one is known after it was last let in, where nobody has it in any more. */
const LEFT_KEPT_MS = 400 * DAY_MS;

/** What access tokens look like: session tokens have dots. */
const ACCESS_TOKEN = /^[\w-]{43}$/u;

/** Whether a bearer token is one of a program, and not of a session. */
export const isAccessToken = (token: string): boolean => ACCESS_TOKEN.test(token);

export interface ConnectionsDependencies {
  database: Pick<Database, 'db'>;
  repository: ConnectionsRepository;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  background: Background;
  now: () => Date;
}

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

/** Programs and devices that people have let in, and whose calls those are that they make. */
export function createConnectionsService(deps: ConnectionsDependencies) {
  const { database, repository, emailOf, background, now } = deps;

  return {
    /** A person's connections, the newest first. */
    list: async (userId: string): Promise<Connection[]> =>
      (await repository.list(userId, now())).map(present),

    /**
     * Ends a connection: from the next call on its tokens open nothing. Returns the program's name.
     * @throws HttpError 404 when the person has no such connection.
     */
    async end(userId: string, id: string): Promise<string> {
      const name = await repository.delete(userId, id);
      if (name === undefined) throw failures.connectionNotFound();
      return name;
    },

    /** Ends all of a person's; answers how many. */
    endAll: (userId: string): Promise<number> => repository.deleteAll(database.db, userId),

    /** Ends all of an account that ends. */
    endAllOf: (tx: Transaction, userId: string): Promise<number> =>
      repository.deleteAll(tx, userId),

    /**
     * Who a program calls for. It has no role of its person's but that of everybody.
     * @param audience the resource that is called
     * @throws HttpError 401 when the token is none, has expired, was ended, or is for another resource.
     */
    async authenticate(token: string, audience: string): Promise<Caller> {
      const found = isAccessToken(token)
        ? await repository.findByToken(hashOfToken(token), now())
        : undefined;
      const email = found && (await emailOf(found.connection.userId));
      if (!found || email === undefined) throw failures.invalidAccessToken();
      const { connection, payload } = found;
      if (payload.aud !== audience) throw failures.foreignAccessToken();
      recordUse(database, connections, connection, now(), background);
      const { userId, id: connectionId } = connection;
      // What this token may, which may be less than the connection.
      const readOnly = !(payload.scope ?? '').split(' ').includes('files:write');
      const session = { sessionId: null, apiKeyId: null, provenAt: null, device: null };
      return { userId, email, role: 'USER', connectionId, readOnly, ...session };
    },

    /** Deletes what has expired, connections by which nothing can call, and programs nobody let in. */
    async cleanUp(): Promise<void> {
      const at = now();
      const before = (ms: number): Date => new Date(at.getTime() - ms);
      await repository.deleteDead(before(EXPIRED_KEPT_MS), at);
      await repository.deleteRecordsUntil(before(EXPIRED_KEPT_MS));
      await repository.deleteClients({
        unused: before(UNUSED_KEPT_MS),
        left: before(LEFT_KEPT_MS),
      });
    },
  };
}

export type ConnectionsService = ReturnType<typeof createConnectionsService>;
