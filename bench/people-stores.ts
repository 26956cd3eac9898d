import { readdir, rm, stat, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { Pool } from 'pg';
import {
  createServerDatabase,
  testServerUrl,
} from '../apps/server/src/platform/database/tests/database-suite.test-setup.ts';
import {
  createTestBucket,
  testS3Url,
} from '../apps/server/src/platform/files/tests/s3.test-setup.ts';
import { indexName } from '../apps/server/src/platform/index/opensearch/mapping.ts';
import {
  testIndexName,
  testOpenSearchUrl,
} from '../apps/server/src/platform/index/opensearch/tests/opensearch.test-setup.ts';
import type { TestApp } from '../apps/server/src/tests/app.test-setup.ts';
import { openSearchSeconds, postgresSeconds, processorSeconds } from './processor-time.ts';

const BLOCK_BYTES = 512;

/** Bytes that are kept, by where. */
export interface Bytes {
  database: number;
  files: number;
  index: number;
}

/** Where an installation of a bench keeps what it has. */
export interface Stores {
  name: string;
  /** Settings of a server on them, beside the data folder. */
  env: Record<string, string>;
  dataDir: string;
  /** Where backups go; null where a server writes none. */
  backups: string | null;
  bytes(engram: TestApp): Promise<Bytes>;
  /** Processor time of a server and of the stores that are other programs, in seconds so far. */
  seconds(pid: number): Promise<number>;
  close(): Promise<void>;
}

/** What a folder takes of its disk, which is whole blocks, and its folders where they take some. */
async function allocatedBytes(folder: string): Promise<number> {
  let sum = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    sum += (found?.blocks ?? 0) * BLOCK_BYTES;
  }
  return sum;
}

async function databaseBytes({ deps }: TestApp): Promise<number> {
  const { rows } = await deps.database.pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes);
}

/** All of it in the data folder, as it comes. */
export async function openDataFolder(): Promise<Stores> {
  const folder = await mkdtemp(path.join(tmpdir(), 'engram-people-'));
  const dataDir = path.join(folder, 'data');
  const backups = await mkdtemp(path.join(folder, 'backups-'));
  return {
    name: 'the data folder',
    env: {},
    dataDir,
    backups,
    bytes: async (engram) => ({
      database: await databaseBytes(engram),
      files: await allocatedBytes(path.join(dataDir, 'files')),
      index: await allocatedBytes(path.join(dataDir, 'index')),
    }),
    seconds: async (pid) => processorSeconds(pid),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Whether there are servers to keep it on, as `npm run with-services` starts them. */
export const hasServices = Boolean(testServerUrl && testS3Url && testOpenSearchUrl);

/** PostgreSQL, S3 and OpenSearch. */
export async function openServices(): Promise<Stores> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-people-'));
  const database = await createServerDatabase(testServerUrl ?? '');
  const { bucket, endpoint, client } = await createTestBucket();
  const index = testIndexName();
  const pool = new Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => undefined);

  async function filesBytes(): Promise<number> {
    let sum = 0;
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
      for (const { Size = 0 } of Contents) sum += Size;
    }
    return sum;
  }

  async function indexBytes(): Promise<number> {
    const address = `${testOpenSearchUrl}/${indexName(index.name)}`;
    await fetch(`${address}/_flush`, { method: 'POST' });
    const response = await fetch(`${address}/_stats/store`);
    const { indices } = (await response.json()) as {
      indices: Record<string, { primaries: { store: { size_in_bytes: number } } }>;
    };
    const sizes = Object.values(indices).map(({ primaries }) => primaries.store.size_in_bytes);
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  return {
    name: 'PostgreSQL, S3 and OpenSearch',
    env: {
      DATABASE_URL: database.url,
      ENGRAM_FILES: `s3://${bucket}/engram`,
      AWS_ENDPOINT_URL_S3: endpoint,
      ENGRAM_SEARCH: testOpenSearchUrl,
      ENGRAM_SEARCH_INDEX: index.name,
    },
    dataDir,
    backups: null,
    bytes: async (engram) => ({
      database: await databaseBytes(engram),
      files: await filesBytes(),
      index: await indexBytes(),
    }),
    seconds: async (pid) =>
      processorSeconds(pid) +
      (await postgresSeconds(pool)) +
      (await openSearchSeconds(testOpenSearchUrl)),
    async close() {
      await pool.end();
      await database.drop();
      await index.remove();
      client.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
