import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Core } from '../../../composition/core.ts';
import { type Config, loadConfig } from '../../../config.ts';
import { createBackground } from '../../../platform/background.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import {
  describeDatabases,
  type TestStore,
} from '../../../platform/database/tests/database-suite.test-setup.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { createBackgroundYield } from '../../../platform/http/background-yield.ts';
import { createAdmission } from '../../../platform/http/admission.ts';
import { createMount } from '../../../platform/http/mount.ts';
import { createOriginOf } from '../../../platform/http/hosts.ts';
import { noLimit } from '../../../platform/limits/limit.ts';
import { createGuardedFetch } from '../../../platform/http/guarded-fetch.ts';
import { createHttpServer } from '../../../platform/http/server.ts';
import { squarePhoto } from '../../../platform/media/square-photo.ts';
import { createMailer } from '../../../platform/mail/mailer.ts';
import { createKeywordsService } from '../../keywords/keywords.service.ts';
import { createProfileService } from '../../profile/profile.service.ts';
import { createSecurityEvents } from '../../security-events/security-events.service.ts';
import { createSubscriptionService } from '../../subscription/subscription.service.ts';
import { createSystemService } from '../../system/system.service.ts';
import { mountAuthRoutes } from '../auth.routes.ts';
import { createAuthService } from '../auth.service.ts';
import { createUsersRepository } from '../users.repository.ts';

export interface CallOptions {
  body?: unknown;
  token?: string;
  cookie?: string;
  ip?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  message: string;
  code: string;
  data: unknown;
  /** The cursor and the total of a list. */
  nextCursor?: string | null;
  total?: number;
  headers: LightMyRequestResponse['headers'];
  /** The session cookie as 'name=value', '' if it was cleared, undefined if it was not set. */
  cookie: string | undefined;
  cookies: LightMyRequestResponse['cookies'];
}

function answerOf(response: LightMyRequestResponse): Answer {
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  const cookie = response.cookies.find(({ name }) => name.endsWith('engram_session'));
  return {
    status: response.statusCode,
    ...(isJson
      ? response.json<Pick<Answer, 'message' | 'code' | 'data' | 'nextCursor' | 'total'>>()
      : undefined),
    headers: response.headers,
    cookie: cookie && cookie.value && `${cookie.name}=${cookie.value}`,
    cookies: response.cookies,
  } as Answer;
}

/** The account features with a migrated database and an injected clock. */
async function serveAccounts(
  database: Database,
  env: Record<string, string> = {},
  storedBytes: (userId: string) => Promise<number> = () => Promise.resolve(0),
) {
  const config: Config = loadConfig({
    ENGRAM_SECRET: 'a secret that is long enough for tests',
    ENGRAM_DATA_DIR: '/nonexistent',
    ...env,
  });
  let time = Date.parse('2026-03-04T10:00:00.000Z');
  const now = () => new Date(time);
  const mails: string[] = [];
  const warnings: string[] = [];
  const notes: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = {
    warn(first: unknown, message?: string) {
      if (typeof first === 'string') mails.push(first);
      else warnings.push(message ?? '');
    },
    info(_first: unknown, message?: string) {
      notes.push(message ?? '');
    },
  };
  // Tests set the time, which also ends timeouts of provider calls.
  const timers = new Set<() => void>();
  const clock: Clock = {
    now: () => time,
    setTimeout(run) {
      timers.add(run);
      return run;
    },
    clearTimeout: (timer) => void timers.delete(timer as () => void),
  };
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  const background = createBackground(log);
  const fetchAllowed = createGuardedFetch({ configured: [config.googleIssuer] });
  const { emailOf } = createUsersRepository(database);
  const eventLog = { ...log, info: (event: Record<string, unknown>) => void logged.push(event) };
  const events = createSecurityEvents(database, eventLog, now);
  const core = {
    securityEvents: events,
    config,
    now,
    log,
    background,
    storage: {
      database,
      emailOf,
      artifactsRepository: {
        storedBytes,
        hasAny: async (userId: string) => (await storedBytes(userId)) > 0,
        countByKeyword: async () => new Map(),
      },
    },
    providers: { mailer, outside: () => ({ fetch: fetchAllowed, clock }) },
  } as unknown as Core;
  const keywords = createKeywordsService(core);
  const subscription = createSubscriptionService(core);
  const renderPhoto = (_: string, picture: Uint8Array) => squarePhoto(picture);
  const auth = createAuthService(core, renderPhoto, async (tx, userId) => {
    await keywords.addDefaults(tx, userId);
    await subscription.start(tx, userId);
  });
  const profile = createProfileService(auth.accounts, renderPhoto, noLimit);
  const system = createSystemService({
    version: '1.2.3',
    ready: async () => ({ status: 'ready', parts: [] }),
    config,
    google: auth.describeSocialSignIn().on ? { clientId: config.googleClientId ?? '' } : null,
    transcription: false,
    abilities: { mail: mailer.describe, google: auth.describeSocialSignIn },
  });

  const app: FastifyInstance = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustProxy: config.trustProxy,
  });
  await app.register(
    async (api) => {
      const mount = createMount({
        app: api,
        admission: createAdmission({
          authenticate: auth.authenticate,
          authenticateKey: () => Promise.reject(new Error('This server has no API keys.')),
          isApiKey: () => false,
          isAccessToken: () => false,
          authenticateToken: () => Promise.reject(new Error('This server has no connected apps.')),
          originOf: createOriginOf(config.publicUrl),
          limits: { user: noLimit, key: noLimit, open: noLimit, failed: noLimit },
          now,
        }),
        checkResponses: true,
        backgroundYield: createBackgroundYield(),
      });
      mountAuthRoutes(mount, auth, config);
      for (const { routes } of [events, profile, subscription, keywords]) routes(mount);
      await system.routes(mount, api);
    },
    { prefix: '/v1' },
  );

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { body, token, cookie, ip = '192.0.2.1', headers }: CallOptions = {},
  ): Promise<Answer> {
    const response = await app.inject({
      method,
      url: `/v1${path}`,
      remoteAddress: ip,
      ...(body === undefined ? {} : { payload: body as object }),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
    });
    return answerOf(response);
  }

  /** The code of the newest mail to an address; '' if no mail was sent. */
  function codeFor(email: string): string {
    const mail = mails.findLast((line) => line.startsWith(`Mail to ${email} `)) ?? '';
    return /\b(\d{6}) is your/u.exec(mail)?.[1] ?? '';
  }

  /** The link of the newest mail to an address. */
  function linkFor(email: string): URL {
    const mail = mails.findLast((line) => line.startsWith(`Mail to ${email} `)) ?? '';
    return new URL(/https?:\S+/u.exec(mail)?.[0] ?? '');
  }

  async function signIn(email: string, options: CallOptions & { details?: object } = {}) {
    await call('POST', '/auth/otp/generate', { ...options, body: { email } });
    const body = { email, code: codeFor(email.toLowerCase()), ...options.details };
    const answer = await call('POST', '/auth/otp/validate', { ...options, body });
    const { token } = answer.data as { token: string };
    return { answer, token, cookie: answer.cookie ?? '' };
  }

  return {
    services: { auth, events, keywords, subscription, profile, system },
    background,
    config,
    mails,
    warnings,
    /** Messages of the level info. */
    notes,
    /** The logged security events. */
    logged,
    /** Lets all running calls to other servers time out. */
    timeOutCalls: () => timers.forEach((run) => run()),
    codeFor,
    linkFor,
    call,
    /** For a response that is not JSON. */
    raw: (path: string): Promise<LightMyRequestResponse> => app.inject({ url: `/v1${path}` }),
    signIn,
    now,
    advance: (ms: number) => void (time += ms),
    set: (at: string) => void (time = Date.parse(at)),
    async close() {
      await app.close();
      await background.drain();
      await events.drain();
      mailer.close();
    },
  };
}

export type AccountsServer = Awaited<ReturnType<typeof serveAccounts>>;

export interface AccountsContext {
  readonly server: AccountsServer;
  readonly database: Database;
  /** Restarts with other settings and the same database. */
  restart: (
    env: Record<string, string>,
    storedBytes?: (userId: string) => Promise<number>,
  ) => Promise<void>;
  rows: (table: string) => Promise<Record<string, unknown>[]>;
}

/**
 * Runs a suite with each database driver. Each test starts with a new server, the settings that `env`
 * returns, and no accounts.
 */
export function describeAccounts(
  title: string,
  suite: (accounts: AccountsContext) => void,
  env: () => Record<string, string> = () => ({}),
): void {
  describeDatabases(title, (createStore) => {
    let store: TestStore;
    let database: Database;
    let server: AccountsServer;

    beforeAll(async () => {
      store = await createStore();
      database = await store.open();
      await migrate(database);
    });
    afterAll(async () => {
      await database.close();
      await store.destroy();
    });
    beforeEach(async () => {
      // TRUNCATE creates new files for all tables, which is a hundred times slower.
      for (const table of ['users', 'sign_in_codes', 'sign_in_links', 'attempts', 'audit_log']) {
        await database.pool.query(`DELETE FROM ${table}`);
      }
      server = await serveAccounts(database, env());
    });
    afterEach(() => server.close());

    suite({
      get server() {
        return server;
      },
      get database() {
        return database;
      },
      async restart(env, storedBytes) {
        await server.close();
        server = await serveAccounts(database, env, storedBytes);
      },
      rows: async (table) =>
        (await database.pool.query<Record<string, unknown>>(`SELECT * FROM ${table}`)).rows,
    });
  });
}
