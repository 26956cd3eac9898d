import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import { generateCode, type Session, updateProfile, validateCode } from '@engram/contract';
import { buildApp } from '../app.ts';
import { loadConfig } from '../config.ts';
import type { CatalogModel } from '../platform/ai/local/catalog.ts';
import type { ServerEnvironment } from '../composition/core.ts';
import { createDependencies } from '../dependencies.ts';
import {
  createServerDatabase,
  testServerUrl,
} from '../platform/database/tests/database-suite.test-setup.ts';
import { createLog } from '../platform/log.ts';
import { PRIVATE_UMASK } from '../run-command.ts';
import { type MailServer, startMailServer } from './mail-server.test-setup.ts';

// The server does the same when it starts.
process.umask(PRIVATE_UMASK);

/** The databases that suites run on. PostgreSQL needs ENGRAM_TEST_DATABASE_URL. */
export const testDatabases: ('embedded' | 'server')[] = testServerUrl
  ? ['embedded', 'server']
  : ['embedded'];

export interface TestAppOptions {
  /** Settings as environment variables. */
  env?: Record<string, string>;
  /** The start of the test clock. Without it the real clock is used. */
  startAt?: Date;
  /** The database. On the test server each app has its own. Default: embedded. */
  database?: 'embedded' | 'server';
  /** Whether every response is checked against the contract. Benchmarks turn it off. */
  checkResponses?: boolean;
  /** A data folder to continue with. Without it an empty one is created, and deleted at the end. */
  dataDir?: string;
  /** The built web app, for a browser. Without it only the API is served. */
  webFolder?: string;
  /** The folder of the built Connector. */
  connectorFolder?: string;
  /** The time limit of question threads, and their worker. */
  analysis?: ServerEnvironment['analysis'];
  /** The language models that can be downloaded. Default: those of this version. */
  languageModels?: readonly CatalogModel[];
  /** How other servers are fetched. Default: from the internet only. */
  fetchOutside?: typeof globalThis.fetch;
  /** Free bytes of the disk. Default: the free space of the disk. */
  freeBytes?: () => Promise<number>;
}

export interface SignedInUser {
  email: string;
  userId: string;
  token: string;
  /** The response to the sign-in. */
  session: Session;
  client: Client;
  baseUrl: string;
}

/** The real app over HTTP on a free port, with a real mail server and its own data folder. */
export async function buildTestApp({
  env = {},
  startAt,
  database = 'embedded',
  dataDir,
  checkResponses = true,
  webFolder,
  connectorFolder,
  analysis = {},
  freeBytes,
  fetchOutside,
  languageModels,
}: TestAppOptions = {}) {
  const server = database === 'server' ? await createServerDatabase(testServerUrl ?? '') : null;
  const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'engram-app-')));
  const mail: MailServer = await startMailServer();
  let offset = startAt ? startAt.getTime() - Date.now() : 0;
  const config = loadConfig({
    PORT: '0',
    ENGRAM_DATA_DIR: folder,
    ENGRAM_LLM: 'none',
    ENGRAM_EMBEDDINGS: 'none',
    ENGRAM_SPEECH: 'none',
    SMTP_URL: mail.url,
    ENGRAM_RATE_LIMITS: 'off',
    ENGRAM_MIN_FREE_MB: '0',
    DATABASE_URL: server?.url,
    ...env,
  });
  const deps = await createDependencies(config, {
    log: createLog(env['ENGRAM_LOG_LEVEL'] ?? 'error'),
    now: () => new Date(Date.now() + offset),
    checkResponses,
    meaningMs: 60_000,
    rerankMs: 60_000,
    warmUp: false,
    webFolder: webFolder ?? null,
    ...(connectorFolder ? { connectorFolder } : {}),
    analysis,
    ...(freeBytes ? { freeBytes } : {}),
    ...(fetchOutside ? { fetchOutside } : {}),
    ...(languageModels ? { languageModels } : {}),
  });
  const app = await buildApp(deps);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  await deps.start();
  const baseUrl = `${origin}/v1`;
  const close = async (): Promise<void> => {
    await app.close();
    await deps.close();
    await mail.close();
    await server?.drop();
    if (!dataDir) await rm(folder, { recursive: true, force: true });
  };

  return {
    app,
    deps,
    origin,
    baseUrl,
    folder,
    mails: mail.mails,
    /** Addresses for which the mail server refuses mail. */
    refusedMail: mail.refused,
    /** Advances the clock, in milliseconds. */
    advance: (ms: number): void => void (offset += ms),
    anonymous: createClient({ baseUrl }),

    /** Signs a user in by a mailed code, as the login page does. */
    async signIn(email: string): Promise<SignedInUser> {
      const anonymous = createClient({ baseUrl });
      await anonymous.call(generateCode, { body: { email } });
      let text: string;
      // Other kinds of mail may have arrived before.
      do ({ text } = await mail.next(email));
      while (!text.includes('sign-in code'));
      const code = /\b\d{6}\b/u.exec(text)?.[0] ?? '';
      const { data } = await anonymous.call(validateCode, { body: { email, code } });
      const client = createClient({ baseUrl, token: () => data.token });
      const { data: profile } = await client.call(updateProfile, { body: { isAgreedTerms: true } });
      return { email, userId: profile.id, token: data.token, session: data, client, baseUrl };
    },

    /** Resolves when every file is processed and every deletion is done. */
    settled: (): Promise<void> => deps.jobs.onIdle(),

    close,
    [Symbol.asyncDispose]: close,
  };
}

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>;
