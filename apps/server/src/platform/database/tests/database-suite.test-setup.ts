import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe } from 'vitest';
import { openDatabase, type Database, type OpenDatabaseOptions } from '../database.ts';
import { storeEmptyCluster } from '../embedded/cluster-templates.ts';
import './shared-engine.test-setup.ts';

/** An empty database for one test file. */
export interface TestStore {
  /** Opens it. It can be opened again after it was closed. */
  open(overrides?: Partial<OpenDatabaseOptions>): Promise<Database>;
  /** Deletes it with its content. */
  destroy(): Promise<void>;
}

/** The server on which suites also run, if there is one. */
export const testServerUrl = process.env.ENGRAM_TEST_DATABASE_URL;

const silent = { info() {}, warn() {}, error() {} };

/** Creates an empty embedded database. */
export async function createEmbeddedStore(): Promise<TestStore & { dataDir: string }> {
  await storeEmptyCluster();
  const dataDir = await mkdtemp(join(tmpdir(), 'engram-database-'));
  return {
    dataDir,
    open: (overrides) => openDatabase({ dataDir, log: silent, ...overrides }),
    destroy: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Creates an empty database on the test server. */
export async function createServerDatabase(
  serverUrl: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `engram_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(serverUrl, `drop database ${name} with (force)`),
  };
}

async function createServerStore(serverUrl: string): Promise<TestStore> {
  const { url, drop } = await createServerDatabase(serverUrl);
  return {
    open: (overrides) => openDatabase({ url, dataDir: '', log: silent, ...overrides }),
    destroy: drop,
  };
}

/**
 * Runs a suite on every driver: always on the embedded database, and on the PostgreSQL server of
 * `ENGRAM_TEST_DATABASE_URL` if it is set. Its user must be allowed to create databases.
 */
export function describeDatabases(
  title: string,
  suite: (createStore: () => Promise<TestStore>, kind: Database['kind']) => void,
): void {
  describe(`${title} (embedded)`, () => {
    suite(createEmbeddedStore, 'embedded');
  });
  describe.skipIf(!testServerUrl)(`${title} (PostgreSQL server)`, () => {
    suite(() => createServerStore(testServerUrl ?? ''), 'server');
  });
}
