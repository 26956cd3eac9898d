import { API_KEY_LIMIT, type ApiKey, type BodyOf, type generateApiKey } from '@engram/contract';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Background } from '../../platform/background.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { recordUse } from '../../platform/database/last-used.ts';
import type { Caller } from '../../platform/http/mount.ts';
import * as errors from './api-keys.errors.ts';
import { createApiKeysRepository } from './api-keys.repository.ts';
import { type ApiKeyRow, apiKeys } from './api-keys.tables.ts';

export interface ApiKeysDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  background: Background;
  now: () => Date;
}

/** What a key may do, and until when: a time, or a day in UTC at whose end it stops. */
type KeyRules = BodyOf<typeof generateApiKey>;

/** Random bytes of a key. */
const KEY_BYTES = 32;

/** Every key begins with this, so that people and scanners of source code know one when they see it. */
const PREFIX = 'eg_';

/** Whether what was sent looks like an API key, and not like a session's or a program's token. */
export const isApiKey = (token: string): boolean => token.startsWith(PREFIX);

const KEY = /^eg_[\w-]{43}$/u;

// A key has 256 random bits: nobody finds it from its hash, so that nothing slower is needed.
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const maskOf = (key: string): string => `${key.slice(0, 2)}…${key.slice(-3)}`;

/** What makes names the same: case does not count, nor how accents are encoded. */
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

const DAY_MS = 24 * 60 * 60_000;

/** The end of a key, from a time or from a day, at whose end it stops. */
const endOf = (given: string): Date => {
  const at = new Date(given);
  return given.includes('T') ? at : new Date(at.getTime() + DAY_MS);
};

/** The keys by which a person's own programs call. */
export function createApiKeysService(deps: ApiKeysDependencies) {
  const { database, emailOf, background, now } = deps;
  const repository = createApiKeysRepository(database);

  return {
    /** A person's keys, masked, the newest first. */
    list: async (userId: string): Promise<ApiKey[]> => (await repository.list(userId)).map(present),

    /**
     * Makes a key. What this answers is the only place where it can be read.
     * @throws HttpError 400 when it would end before it begins, 409 when the person has one of that
     * name, or as many as anybody may have.
     */
    async generate(userId: string, givenName: string, rules: KeyRules = {}) {
      const name = givenName.normalize('NFC');
      const readOnly = rules.readOnly ?? false;
      const expiresAt = rules.expiresAt ? endOf(rules.expiresAt) : null;
      if (expiresAt && expiresAt <= now()) throw errors.endsBeforeItBegins();
      const apiKey = PREFIX + randomBytes(KEY_BYTES).toString('base64url');
      const row: ApiKeyRow = {
        id: randomUUID(),
        userId,
        name,
        keyHash: hashOf(apiKey),
        masked: maskOf(apiKey),
        createdAt: now(),
        lastUsedAt: null,
        readOnly,
        expiresAt,
      };
      await database.transaction(async (tx) => {
        await repository.lock(tx, userId);
        const known = await repository.list(userId, tx);
        if (known.some((row) => sameName(row.name) === sameName(name))) throw errors.keyExists();
        if (known.length >= API_KEY_LIMIT) throw errors.tooManyKeys(API_KEY_LIMIT);
        if (!(await repository.insert(tx, row))) throw errors.keyExists();
      });
      const { lastUsedDate: _, ...made } = present(row);
      return { ...made, apiKey };
    },

    /**
     * Revokes a key: from the next call on it opens nothing.
     * @throws HttpError 404 when the person has no such key.
     */
    async revoke(userId: string, id: string): Promise<void> {
      if (!(await repository.delete(userId, id))) throw errors.keyNotFound();
    },

    /** Revokes all keys of an account that ends. */
    revokeAll: (tx: Transaction, userId: string): Promise<void> => repository.deleteAll(tx, userId),

    /**
     * Who a key belongs to. Whoever has the ADMIN role has it in person, and not by a key.
     * @throws HttpError 401 when it is no key, was revoked, or has expired.
     */
    async authenticate(key: string): Promise<Caller> {
      const row = KEY.test(key) ? await repository.find(hashOf(key)) : undefined;
      const email = row && (await emailOf(row.userId));
      if (!row || email === undefined) throw errors.invalidKey();
      const { userId, id: apiKeyId, readOnly, expiresAt } = row;
      if (expiresAt && expiresAt <= now()) throw errors.keyExpired(expiresAt);
      recordUse(database, apiKeys, row, now(), background);
      const session = { sessionId: null, connectionId: null, provenAt: null, device: null };
      return { userId, email, role: 'USER', apiKeyId, readOnly, ...session };
    },
  };
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;
