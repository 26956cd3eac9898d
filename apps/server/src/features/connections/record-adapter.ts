import { and, eq, isNull } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../../platform/database/database.ts';
import { GRANT } from './connections.repository.ts';
import {
  connections,
  oauthClients,
  oauthRecords,
  type OauthRecordRow,
} from './connections.tables.ts';
import type { RecordIds } from './record-ids.ts';

export interface RecordAdapterDependencies {
  database: Pick<Database, 'db'>;
  ids: RecordIds;
  now: () => Date;
  /** Told of a connection that ended by itself: the program gave it back, or a copy was used. */
  onEnded: (connection: { userId: string; name: string }) => Promise<void>;
}

/** The second for which the library reads the system's clock. */
const epoch = (): number => Math.floor(Date.now() / 1000);

/** Whether a row's connection or account was deleted while the row was on its way. */
const isOrphan = (error: unknown): boolean =>
  error instanceof DrizzleQueryError &&
  (error.cause as { code?: string } | undefined)?.code === '23503';

/** Whether PostgreSQL can keep all text in a value: it knows no NUL, and no half of a character. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}

const UNSTORABLE = 'the request has a text with a character that cannot be kept';

/**
 * Where oidc-provider keeps what it issues: in the project's database, and no secret of it in plain.
 * When something ends is told by the server's clock, and handed to the library as what is left.
 */
export function createRecordAdapter({ database, ids, now, onEnded }: RecordAdapterDependencies) {
  const { db } = database;

  /** A row as the library wrote it; the id goes in again, which the row does not have. */
  const payloadOf = (row: OauthRecordRow, jti: string): AdapterPayload => {
    const left = Math.ceil((row.expiresAt.getTime() - now().getTime()) / 1000);
    const consumed = row.consumedAt
      ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) }
      : {};
    return { ...row.payload, jti, exp: epoch() + left, ...consumed };
  };

  const endConnection = async (id: string): Promise<void> => {
    const [ended] = await db
      .delete(connections)
      .where(eq(connections.id, id))
      .returning({ userId: connections.userId, name: connections.name });
    if (ended) await onEnded(ended);
  };

  const recordsOf = (kind: string): Adapter => {
    const at = (id: string) => and(eq(oauthRecords.kind, kind), eq(oauthRecords.id, id));

    return {
      async upsert(id, payload, expiresIn = 0) {
        if (!isStorable(payload)) throw new errors.InvalidRequest(UNSTORABLE);
        const { jti, userCode, ...kept } = payload;
        const userId = payload.result?.login?.accountId ?? payload.accountId ?? null;
        const row = {
          payload: ids.isSecret(kind) ? kept : { ...kept, jti },
          connectionId: kind === GRANT ? id : (payload.grantId ?? null),
          userId,
          ...(userCode === undefined ? {} : { userCode: ids.userCode(userCode) }),
          expiresAt: new Date(now().getTime() + expiresIn * 1000),
        };
        const key = { kind, id: ids.held(kind, id) };
        await db
          .insert(oauthRecords)
          .values({ ...key, ...row })
          .onConflictDoUpdate({ target: [oauthRecords.kind, oauthRecords.id], set: row })
          .catch((error: unknown) => {
            throw isOrphan(error) ? new errors.InvalidGrant('it has been ended') : error;
          });
      },

      async find(id) {
        const named = ids.named(kind, id);
        if (!isStorable(named)) return undefined;
        const [row] = await db.select().from(oauthRecords).where(at(named));
        return row && payloadOf(row, id);
      },

      async findByUserCode(userCode) {
        const hash = ids.userCode(userCode);
        const [row] = await db
          .select()
          .from(oauthRecords)
          .where(and(eq(oauthRecords.kind, kind), eq(oauthRecords.userCode, hash)));
        return row && { ...payloadOf(row, ids.byHash(row.id)), userCode };
      },

      findByUid: async () => undefined,

      // One of two who show the same code or token at the same moment gets here second.
      async consume(id) {
        const used = await db
          .update(oauthRecords)
          .set({ consumedAt: now() })
          .where(and(at(ids.held(kind, id)), isNull(oauthRecords.consumedAt)))
          .returning({ id: oauthRecords.id });
        if (used.length > 0) return;
        const [row] = await db
          .select()
          .from(oauthRecords)
          .where(at(ids.held(kind, id)));
        if (row?.connectionId) await endConnection(row.connectionId);
        throw new errors.InvalidGrant('it was used before');
      },

      async destroy(id) {
        if (kind === GRANT) await endConnection(id);
        else await db.delete(oauthRecords).where(at(ids.held(kind, id)));
      },

      async revokeByGrantId(grantId) {
        await db
          .delete(oauthRecords)
          .where(and(eq(oauthRecords.kind, kind), eq(oauthRecords.connectionId, grantId)));
      },
    };
  };

  /** Programs that registered themselves; they have an end only where nobody lets them in. */
  const clients: Adapter = {
    ...recordsOf('Client'),
    async upsert(id, metadata) {
      if (!isStorable(metadata)) throw new errors.InvalidClientMetadata(UNSTORABLE);
      await db
        .insert(oauthClients)
        .values({ id, metadata, createdAt: now() })
        .onConflictDoUpdate({ target: oauthClients.id, set: { metadata } });
    },
    async find(id) {
      if (!isStorable(id)) return undefined;
      const [row] = await db.select().from(oauthClients).where(eq(oauthClients.id, id));
      return row?.metadata;
    },
    async destroy(id) {
      await db.delete(oauthClients).where(eq(oauthClients.id, id));
    },
  };

  /** Who is signed in is Engram's own session to say, each time: of the library's nothing is kept. */
  const nothing: Adapter = {
    upsert: async () => undefined,
    find: async () => undefined,
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
    consume: async () => undefined,
    destroy: async () => undefined,
    revokeByGrantId: async () => undefined,
  };

  return (kind: string): Adapter => {
    if (kind === 'Client') return clients;
    return kind === 'Session' ? nothing : recordsOf(kind);
  };
}
