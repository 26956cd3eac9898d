import { createHash, createHmac } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Core } from '../../composition/core.ts';
import {
  connections,
  oauthClients,
  oauthRecords,
  type OauthRecordRow,
} from './connections.tables.ts';

export const GRANT = 'Grant';
export const ACCESS_TOKEN = 'AccessToken';

/** Kinds of records whose ID is a secret and is stored as a hash. */
const SECRET_KINDS = new Set([ACCESS_TOKEN, 'RefreshToken', 'AuthorizationCode', 'DeviceCode']);

/** The prefix of an ID that is a hash, because the record was found without its secret ID. */
const HASHED = 'sha256:';

/** A token has 256 random bits, so a slow hash is not needed. */
export const hashOfToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

function rowId(kind: string, id: string): string {
  if (!SECRET_KINDS.has(kind)) return id;
  return id.startsWith(HASHED) ? id.slice(HASHED.length) : hashOfToken(id);
}

const epoch = (): number => Math.floor(Date.now() / 1000);

/** Whether a row's connection or account was deleted while it was being written. */
const isOrphan = (error: unknown): boolean =>
  error instanceof DrizzleQueryError &&
  (error.cause as { code?: string } | undefined)?.code === '23503';

/** Whether PostgreSQL can store a value's texts, which must not contain NUL or lone surrogates. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isStorable);
}

const UNSTORABLE = 'a text in the request has a character that cannot be stored';

/**
 * Stores the records of oidc-provider, without secrets in clear text. The server's clock, which tests can
 * set, decides when they expire.
 * @param onEnded called if the app ended a connection, or a copied token was used
 */
export function createRecordAdapter(
  { config, storage, now }: Core,
  onEnded: (connection: { userId: string; name: string }) => Promise<void>,
) {
  const { db } = storage.database;
  const userCodeKey = createHmac('sha256', config.secret).update('connections:user-code').digest();
  /** Keyed, because the 34 bits of a user code could be guessed from a plain hash. */
  const hashOfUserCode = (userCode: string): string =>
    createHmac('sha256', userCodeKey).update(userCode).digest('base64url');

  const payloadOf = (row: OauthRecordRow, jti: string): AdapterPayload => {
    const remaining = Math.ceil((row.expiresAt.getTime() - now().getTime()) / 1000);
    const consumed = row.consumedAt
      ? { consumed: Math.floor(row.consumedAt.getTime() / 1000) }
      : {};
    return { ...row.payload, jti, exp: epoch() + remaining, ...consumed };
  };

  const endConnection = async (id: string): Promise<void> => {
    const [ended] = await db
      .delete(connections)
      .where(eq(connections.id, id))
      .returning({ userId: connections.userId, name: connections.name });
    if (ended) await onEnded(ended);
  };

  const recordsOf = (kind: string): Adapter => {
    const hasId = (id: string) =>
      and(eq(oauthRecords.kind, kind), eq(oauthRecords.id, rowId(kind, id)));

    return {
      async upsert(id, payload, expiresIn = 0) {
        if (!isStorable(payload)) throw new errors.InvalidRequest(UNSTORABLE);
        const { jti, userCode, ...stored } = payload;
        const userId = payload.result?.login?.accountId ?? payload.accountId ?? null;
        const row = {
          payload: SECRET_KINDS.has(kind) ? stored : { ...stored, jti },
          connectionId: kind === GRANT ? id : (payload.grantId ?? null),
          userId,
          ...(userCode === undefined ? {} : { userCode: hashOfUserCode(userCode) }),
          expiresAt: new Date(now().getTime() + expiresIn * 1000),
        };
        await db
          .insert(oauthRecords)
          .values({ kind, id: rowId(kind, id), ...row })
          .onConflictDoUpdate({ target: [oauthRecords.kind, oauthRecords.id], set: row })
          .catch((error: unknown) => {
            throw isOrphan(error) ? new errors.InvalidGrant('the connection was ended') : error;
          });
      },

      async find(id) {
        // An ID from a client is never a hash.
        const storedId = SECRET_KINDS.has(kind) ? hashOfToken(id) : id;
        if (!isStorable(storedId)) return undefined;
        const [row] = await db
          .select()
          .from(oauthRecords)
          .where(and(eq(oauthRecords.kind, kind), eq(oauthRecords.id, storedId)));
        return row && payloadOf(row, id);
      },

      async findByUserCode(userCode) {
        const isCode = eq(oauthRecords.userCode, hashOfUserCode(userCode));
        const [row] = await db
          .select()
          .from(oauthRecords)
          .where(and(eq(oauthRecords.kind, kind), isCode));
        return row && { ...payloadOf(row, HASHED + row.id), userCode };
      },

      findByUid: async () => undefined,

      // The second of two concurrent uses of a code or token ends the connection.
      async consume(id) {
        const used = await db
          .update(oauthRecords)
          .set({ consumedAt: now() })
          .where(and(hasId(id), isNull(oauthRecords.consumedAt)))
          .returning({ id: oauthRecords.id });
        if (used.length > 0) return;
        const [row] = await db.select().from(oauthRecords).where(hasId(id));
        if (row?.connectionId) await endConnection(row.connectionId);
        throw new errors.InvalidGrant('it was already used');
      },

      async destroy(id) {
        if (kind === GRANT) await endConnection(id);
        else await db.delete(oauthRecords).where(hasId(id));
      },

      async revokeByGrantId(grantId) {
        await db
          .delete(oauthRecords)
          .where(and(eq(oauthRecords.kind, kind), eq(oauthRecords.connectionId, grantId)));
      },
    };
  };

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

  /** The library's sessions are not stored, because Engram has its own. */
  const unstored: Adapter = { ...recordsOf('Session'), upsert: async () => undefined };

  return (kind: string): Adapter => {
    if (kind === 'Client') return clients;
    return kind === 'Session' ? unstored : recordsOf(kind);
  };
}
