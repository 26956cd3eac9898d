import {
  API_KEY_LIMIT,
  type ApiKey,
  generateApiKey,
  listApiKeys,
  revokeApiKey,
} from '@engram/contract';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { lockName, recordUse } from '../../platform/database/sql.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { type ApiKeyRow, apiKeys } from './api-keys.tables.ts';

/** Lets secret scanners recognize keys in source code. */
const PREFIX = 'eg_';

export const isApiKey = (token: string): boolean => token.startsWith(PREFIX);

const KEY = /^eg_[\w-]{43}$/u;

// A key has 256 random bits, so a slow hash is not needed.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const maskOf = (key: string): string => `${key.slice(0, 2)}…${key.slice(-3)}`;

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  apiKey: row.masked,
  createdDate: row.createdAt.toISOString(),
  lastUsedDate: row.lastUsedAt?.toISOString() ?? null,
  readOnly: row.readOnly,
  expiresAt: row.expiresAt?.toISOString() ?? null,
});

/** A date without a time means the end of the day in UTC. */
const expiryOf = (time: string): Date =>
  new Date(Date.parse(time) + (time.includes('T') ? 0 : 24 * 60 * 60_000));

const keyExists = (): HttpError =>
  new HttpError(409, 'api_key_exists', 'API key with name already exists');

export function createApiKeysService({ storage, securityEvents, background, now }: Core) {
  const { database, emailOf } = storage;
  const { db } = database;

  const listRows = (userId: string, executor: Executor): Promise<ApiKeyRow[]> =>
    executor
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.userId, userId))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));

  return {
    routes(mount: Mount): void {
      mount(listApiKeys, async ({ caller }) => ({
        data: (await listRows(caller.userId, db)).map(present),
      }));
      mount(generateApiKey, async ({ body: rules = {}, caller, ip, params }) => {
        const { userId } = caller;
        const name = params.name.normalize('NFC');
        const expiresAt = rules.expiresAt ? expiryOf(rules.expiresAt) : null;
        if (expiresAt && expiresAt <= now()) {
          throw new HttpError(400, 'invalid_request', 'The expiry must be in the future.');
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
          await lockName(tx, `api-keys:${userId}`);
          const existing = await listRows(userId, tx);
          if (existing.some((other) => nameKey(other.name) === nameKey(name))) throw keyExists();
          if (existing.length >= API_KEY_LIMIT) {
            const message = `You can have up to ${API_KEY_LIMIT} API keys. Revoke one that you no longer use.`;
            throw new HttpError(409, 'too_many_api_keys', message);
          }
          const added = await tx.insert(apiKeys).values(row).onConflictDoNothing().returning();
          if (added.length === 0) throw keyExists();
        });
        await securityEvents.by('key_made', caller, ip);
        const { lastUsedDate: _, ...presented } = present(row);
        // Only this response contains the key.
        return { data: { ...presented, apiKey } };
      });
      mount(revokeApiKey, async ({ caller, ip, params }) => {
        const isOwned = and(eq(apiKeys.id, params.id), eq(apiKeys.userId, caller.userId));
        const revoked = await db.delete(apiKeys).where(isOwned).returning({ id: apiKeys.id });
        if (revoked.length === 0) {
          throw new HttpError(404, 'api_key_not_found', 'There is no such API key.');
        }
        await securityEvents.by('key_revoked', caller, ip);
        return { data: null };
      });
    },

    async revokeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(apiKeys).where(eq(apiKeys.userId, userId));
    },

    /** The user of a key, without the ADMIN role. @throws HttpError 401 */
    async authenticate(key: string): Promise<Caller> {
      const [row] = KEY.test(key)
        ? await db
            .select()
            .from(apiKeys)
            .where(eq(apiKeys.keyHash, hashOf(key)))
        : [];
      const email = row && (await emailOf(row.userId));
      if (!row || email === undefined) {
        throw new HttpError(401, 'invalid_api_key', 'This API key is invalid or was revoked.');
      }
      const { userId, id: apiKeyId, readOnly, expiresAt } = row;
      if (expiresAt && expiresAt <= now()) {
        const message = `This API key expired on ${expiresAt.toISOString().slice(0, 10)}. Create a new one.`;
        throw new HttpError(401, 'api_key_expired', message);
      }
      recordUse(database, apiKeys, row, now(), background);
      const session = { sessionId: null, connectionId: null, provenAt: null, device: null };
      return { userId, email, role: 'USER', apiKeyId, readOnly, ...session };
    },
  };
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;
