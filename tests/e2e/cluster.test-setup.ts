import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@engram/client';
import { generateCode, validateCode } from '@engram/contract';
import { Pool } from 'pg';
import {
  createServerDatabase,
  testServerUrl,
} from '../../apps/server/src/platform/database/tests/database-suite.test-setup.ts';
import {
  createTestBucket,
  testS3Url,
} from '../../apps/server/src/platform/files/tests/s3.test-setup.ts';
import {
  testIndexName,
  testOpenSearchUrl,
} from '../../apps/server/src/platform/index/opensearch/tests/opensearch.test-setup.ts';
import {
  type ReceivedMail,
  startMailServer,
} from '../../apps/server/src/tests/mail-server.test-setup.ts';
import { end, launch } from './engram.ts';
import { type Relay, type RelayOptions, startRelay } from './relay.test-setup.ts';

export interface ClusterServer {
  dataDir: string;
  url: string;
  child: ChildProcess;
}

/** Servers with one PostgreSQL, S3 and OpenSearch, each behind a relay. */
export interface Cluster {
  servers: ClusterServer[];
  /** Reaches the database directly. */
  pool: Pool;
  mails: ReceivedMail[];
  relays: Record<'postgres' | 's3' | 'opensearch', Relay>;
  /** Starts one more server. */
  add: () => Promise<void>;
  /** Stops all servers gracefully, and removes them. */
  stop: () => Promise<void>;
  /** Kills a server, and restarts it on its port. */
  killAndRestart: (n: number) => Promise<void>;
  /** A client of one of the servers, in turn. */
  clientOn: (n: number, token?: string) => Client;
  /** Signs a user in on one server by a code from another, and returns the token. */
  signIn: (email: string, n: number) => Promise<string>;
  close: () => Promise<void>;
}

/** Whether the services are available. */
export const canCluster = Boolean(testServerUrl && testS3Url && testOpenSearchUrl);

/** The address of a service through its relay. */
function relayedAddress(address: string, { host }: Relay): string {
  const url = new URL(address);
  url.host = host;
  return url.href.replace(/\/$/u, '');
}

export async function startCluster(count: number, { listen }: RelayOptions = {}): Promise<Cluster> {
  const database = await createServerDatabase(testServerUrl ?? '');
  const { bucket, endpoint } = await createTestBucket();
  const index = testIndexName();
  const mail = await startMailServer();
  const pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined);
  const relays = {
    postgres: await startRelay(new URL(database.url), listen ? { listen } : {}),
    s3: await startRelay(new URL(endpoint)),
    opensearch: await startRelay(new URL(testOpenSearchUrl)),
  };
  const env = {
    DATABASE_URL: relayedAddress(database.url, relays.postgres),
    ENGRAM_FILES: `s3://${bucket}/engram`,
    AWS_ENDPOINT_URL_S3: relayedAddress(endpoint, relays.s3),
    ENGRAM_SEARCH: relayedAddress(testOpenSearchUrl, relays.opensearch),
    ENGRAM_SEARCH_INDEX: index.name,
    ENGRAM_SECRET: 'a secret that all servers of this test share',
    ENGRAM_LLM: 'none',
    ENGRAM_EMBEDDINGS: 'none',
    ENGRAM_RATE_LIMITS: 'off',
    SMTP_URL: mail.url,
  };
  const servers: ClusterServer[] = [];

  const add = async (): Promise<void> => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-cluster-'));
    servers.push({ dataDir, ...(await launch(dataDir, env)) });
  };

  const stop = async (): Promise<void> => {
    const stopped = servers.splice(0);
    await Promise.all(stopped.map(({ child }) => end(child, 'SIGTERM')));
    await Promise.all(stopped.map(({ dataDir }) => rm(dataDir, { recursive: true, force: true })));
  };

  const clientOn = (n: number, token?: string): Client =>
    createClient({
      baseUrl: `${servers[n % servers.length]?.url}/v1`,
      ...(token === undefined ? {} : { token: () => token }),
    });

  await Promise.all(Array.from({ length: count }, add));
  return {
    servers,
    pool,
    mails: mail.mails,
    relays,
    add,
    stop,
    clientOn,

    async killAndRestart(n) {
      const server = servers[n];
      if (!server) return;
      await end(server.child, 'SIGKILL');
      const { port } = new URL(server.url);
      Object.assign(server, await launch(server.dataDir, { ...env, PORT: port }));
    },

    async signIn(email, n) {
      await clientOn(n).call(generateCode, { body: { email } });
      const code = /\b\d{6}\b/u.exec((await mail.next(email)).text)?.[0] ?? '';
      return (await clientOn(n + 1).call(validateCode, { body: { email, code } })).data.token;
    },

    async close() {
      await stop();
      await Promise.all(Object.values(relays).map((relay) => relay.close()));
      await pool.end();
      await mail.close();
      await index.remove();
      await database.drop();
    },
  };
}
