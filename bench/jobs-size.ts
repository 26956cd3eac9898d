import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../apps/server/src/platform/database/database.ts';
import { createJobs } from '../apps/server/src/platform/jobs/jobs.ts';

/** One measurement: after so many jobs, the embedded database's size. */
export interface JobsSizeRow {
  jobs: number;
  /** Milliseconds per job since the row before, enqueueing and running. */
  'ms per job': number;
  /** Megabytes of PostgreSQL's data, without its write-ahead log. */
  'database MB': number;
  /** Megabytes of the queue's own tables and indexes. */
  'queue MB': number;
}

const ROUNDS = 5;
const JOBS_PER_TRANSACTION = 500;
const BYTES_PER_MB = 1e6;

/**
 * Passes `total` small jobs through a queue on the embedded database, with the maintenance that the
 * server schedules after each fifth of them: the size must stay flat.
 */
export async function run(total = 100_000): Promise<JobsSizeRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engram-jobs-size-'));
  const log = { info() {}, warn() {}, error: console.error };
  const database = await openDatabase({ dataDir, log });
  const jobs = await createJobs({ database, log });
  const table: JobsSizeRow[] = [];
  try {
    await jobs.define('bench', {
      handler: async () => {},
      concurrency: 2,
      timeoutSeconds: 60,
      retryLimit: 1,
      retryDelaySeconds: 1,
    });
    await jobs.start();
    for (let round = 1; round <= ROUNDS; round++) {
      const startedAt = performance.now();
      for (let added = 0; added < total / ROUNDS; added += JOBS_PER_TRANSACTION) {
        await database.transaction(async (tx) => {
          for (let n = 0; n < JOBS_PER_TRANSACTION; n++) {
            await jobs.enqueue(
              'bench',
              { artifactId: `${round}-${added}-${n}` },
              { tx, group: 'a' },
            );
          }
        });
        await jobs.onIdle();
      }
      const milliseconds = (performance.now() - startedAt) / (total / ROUNDS);
      await database.maintain();
      const { rows } = await database.pool.query<{ all: string; queue: string }>(
        `select pg_database_size(current_database()) as "all", pg_total_relation_size('jobs.job_common') as queue`,
      );
      table.push({
        jobs: (total / ROUNDS) * round,
        'ms per job': Number(milliseconds.toFixed(2)),
        'database MB': Number((Number(rows[0]?.all) / BYTES_PER_MB).toFixed(2)),
        'queue MB': Number((Number(rows[0]?.queue) / BYTES_PER_MB).toFixed(2)),
      });
    }
    return table;
  } finally {
    await jobs.stop({ graceful: false });
    await database.close();
    await rm(dataDir, { recursive: true });
  }
}
