import {
  API_KEY_LIMIT,
  type ApiKey,
  type BodyOf,
  generateApiKey,
  listApiKeys,
  revokeApiKey,
} from '@engram/contract';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { holdName, recordUse } from '../../platform/database/sql.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import { type ApiKeyRow, apiKeys } from './api-keys.tables.ts';

/** The start of every key, by which scanners of source code recognize one. */
const PREFIX = 'eg_';

/** Whether a credential looks like an API key, and not like a session token or an access token. */
export const isApiKey = (token: string): boolean => token.startsWith(PREFIX);

const KEY = /^eg_[\w-]{43}$/u;

// A key has 256 random bits, so a slow hash is not needed.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const maskOf = (key: string): string => `${key.slice(0, 2)}…${key.slice(-3)}`;

/** Names are compared without case and in one Unicode form. */
const sameName = (name: string): string => name.normalize('NFC').toLowerCase();

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  apiKey: row.masked,
  createdDate: row.createdAt.toISOString(),
  lastUsedDate: row.lastUsedAt?.toISOString() ?? null,
  readOnly: row.readOnly,
  expiresAt: row.expiresAt?.toISOString() ?? null,
});

/** A key expires at the given time, or at the end of the given day in UTC. */
const endOf = (given: string): Date => {
  const at = new Date(given);
  return given.includes('T') ? at : new Date(at.getTime() + 24 * 60 * 60_000);
};

const keyExists = (): HttpError =>
  new HttpError(409, 'api_key_exists', 'API key with name already exists');

export function createApiKeysService({ storage, background, now }: Core) {
  const { database, emailOf } = storage;
  const { db } = database;

  const listRows = (userId: string, executor: Executor): Promise<ApiKeyRow[]> =>
    executor
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.userId, userId))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));

  return {
    list: async (userId: string): Promise<ApiKey[]> => (await listRows(userId, db)).map(present),

    /** Makes a key. It can be read only in this answer. @throws HttpError 400, 409. */
    async generate(userId: string, givenName: string, rules: BodyOf<typeof generateApiKey> = {}) {
      const name = givenName.normalize('NFC');
      const expiresAt = rules.expiresAt ? endOf(rules.expiresAt) : null;
      if (expiresAt && expiresAt <= now()) {
        const message = 'The end of an API key must lie in the future.';
        throw new HttpError(400, 'invalid_request', message);
      }
      const apiKey = PREFIX + randomBytes(32).toString('base64url');
      const row: ApiKeyRow = {
        id: randomUUID(),
        userId,
        name,
        keyHash: hashOf(apiKey),
        masked: maskOf(apiKey),
        createdAt: now(),
        lastUsedAt: null,
        readOnly: rules.readOnly ?? false,
        expiresAt,
      };
      await database.transaction(async (tx) => {
        await holdName(tx, `api-keys:${userId}`);
        const known = await listRows(userId, tx);
        if (known.some((row) => sameName(row.name) === sameName(name))) throw keyExists();
        if (known.length >= API_KEY_LIMIT) {
          const message = `You have ${API_KEY_LIMIT} API keys, and more are not possible. Revoke one that you no longer use.`;
          throw new HttpError(409, 'too_many_api_keys', message);
        }
        const added = await tx.insert(apiKeys).values(row).onConflictDoNothing().returning();
        if (added.length === 0) throw keyExists();
      });
      const { lastUsedDate: _, ...made } = present(row);
      return { ...made, apiKey };
    },

    async revoke(userId: string, id: string): Promise<void> {
      const isOwn = and(eq(apiKeys.id, id), eq(apiKeys.userId, userId));
      const revoked = await db.delete(apiKeys).where(isOwn).returning({ id: apiKeys.id });
      if (revoked.length > 0) return;
      throw new HttpError(404, 'api_key_not_found', 'There is no such API key.');
    },

    async revokeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(apiKeys).where(eq(apiKeys.userId, userId));
    },

    /** The user of a key, without the ADMIN role. @throws HttpError 401. */
    async authenticate(key: string): Promise<Caller> {
      const [row] = KEY.test(key)
        ? await db
            .select()
            .from(apiKeys)
            .where(eq(apiKeys.keyHash, hashOf(key)))
        : [];
      const email = row && (await emailOf(row.userId));
      if (!row || email === undefined) {
        const message = 'This API key is not valid, or it was revoked.';
        throw new HttpError(401, 'invalid_api_key', message);
      }
      const { userId, id: apiKeyId, readOnly, expiresAt } = row;
      if (expiresAt && expiresAt <= now()) {
        const message = `This API key expired on ${expiresAt.toISOString().slice(0, 10)}. Make another one.`;
        throw new HttpError(401, 'api_key_expired', message);
      }
      recordUse(database, apiKeys, row, now(), background);
      const session = { sessionId: null, connectionId: null, provenAt: null, device: null };
      return { userId, email, role: 'USER', apiKeyId, readOnly, ...session };
    },
  };
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function mountApiKeysRoutes(
  mount: Mount,
  service: ApiKeysService,
  events: Pick<SecurityEvents, 'by'>,
): void {
  mount(listApiKeys, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(generateApiKey, async ({ body, caller, ip, params }) => {
    const data = await service.generate(caller.userId, params.name, body);
    await events.by('key_made', caller, ip);
    return { data };
  });

  mount(revokeApiKey, async ({ caller, ip, params }) => {
    await service.revoke(caller.userId, params.id);
    await events.by('key_revoked', caller, ip);
    return { data: null };
  });
}
