import type { Core } from '../../composition/core.ts';
import type { Storage } from '../../composition/storage.ts';
import type { Config } from '../../config.ts';
import { freeBytesOf } from '../../platform/files/disk-room.ts';
import type { Metric, Value } from '../../platform/observability/metrics.ts';
import type { Observability } from '../../platform/observability/open-observability.ts';
import { createReadiness, type Part } from '../../platform/observability/readiness.ts';
import type { Backup } from '../backup/manifest.ts';
import type { Backups } from '../backup/backups.ts';

/** The dependencies of the server, each with its cheapest check. */
const partsOf = ({ database, files, index }: Storage): Part<'database' | 'files' | 'index'>[] => [
  {
    name: 'database',
    check: () => database.pool.query('select 1'),
    problem: 'The database does not respond.',
    needed: true,
  },
  {
    name: 'files',
    check: () => files.assertUsable(),
    problem: 'The file store does not respond.',
    needed: true,
  },
  {
    name: 'index',
    check: () => index.assertUsable(),
    problem: 'The search index does not respond. Until it does, questions find nothing.',
    needed: false,
  },
];

const FILE_STATES = {
  PENDING: 'waiting',
  PROCESSING: 'reading',
  SUCCESS: 'ready',
  FAILED: 'failed',
};

/** Metrics whose values are read at collection. */
function metricsOf(config: Config, storage: Storage, up: () => Promise<Value[]>): Metric[] {
  const { jobs, artifactsRepository, database } = storage;
  const { pool } = database;
  const jobCounts = async (): Promise<Value[]> =>
    (await jobs.counts()).map(({ queue, state, count }) => ({
      labels: { queue, state },
      value: count,
    }));
  const oldestJobs = async (): Promise<Value[]> =>
    (await jobs.counts())
      .filter(({ state }) => state === 'waiting')
      .map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds }));
  const fileValues = async (): Promise<Value[]> => {
    const counts = new Map(
      (await artifactsRepository.countByStatus()).map(({ status, files }) => [status, files]),
    );
    return Object.entries(FILE_STATES).map(([status, state]) => ({
      labels: { state },
      value: counts.get(status as keyof typeof FILE_STATES) ?? 0,
    }));
  };
  return [
    // First, so that the queries of the other metrics are not counted.
    {
      name: 'engram_database_connections',
      help: 'Database connections in use and idle, and calls waiting for one.',
      labels: ['state'],
      read: () => [
        { labels: { state: 'in use' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
        { labels: { state: 'waiting' }, value: pool.waitingCount },
      ],
    },
    {
      name: 'engram_part_up',
      help: 'Whether a dependency of the server responds, as reported by /v1/ready: 1 or 0.',
      labels: ['part'],
      read: up,
    },
    {
      name: 'engram_jobs',
      help: 'Jobs by queue and state: waiting, later (not due yet), running, failed (permanently, in the last week). A failed job waits again until its failure is reported.',
      labels: ['queue', 'state'],
      read: jobCounts,
    },
    {
      name: 'engram_jobs_oldest_waiting_seconds',
      help: 'Time since the oldest waiting job of a queue became due.',
      labels: ['queue'],
      read: oldestJobs,
    },
    {
      name: 'engram_files',
      help: 'Files of all users by state: waiting, reading (being processed), ready (searchable), failed.',
      labels: ['state'],
      read: fileValues,
    },
    {
      name: 'engram_disk_free_bytes',
      help: 'Free bytes on the disk of the data folder. Uploads are refused below ENGRAM_MIN_FREE_MB.',
      labels: [],
      read: async () => [{ labels: {}, value: await freeBytesOf(config.dataDir) }],
    },
  ];
}

/** The time and size of the newest complete backup. No value until there is one. */
function backupMetrics({ last }: Pick<Backups, 'last'>): Metric[] {
  const read = (value: (backup: Backup) => number) => async () => {
    const backup = await last();
    return backup ? [{ labels: {}, value: value(backup) }] : [];
  };
  return [
    {
      name: 'engram_backup_last_success_timestamp_seconds',
      help: 'Start of the newest complete backup, in seconds since 1970.',
      labels: [],
      read: read(({ at }) => at.getTime() / 1000),
    },
    {
      name: 'engram_backup_files',
      help: 'Files in the newest complete backup.',
      labels: [],
      read: read(({ files }) => files),
    },
  ];
}

/** Reports whether the server is ready, and adds the metrics of its dependencies and backups. */
export function createHealth(
  { config, storage, log, now }: Core,
  { metrics }: Observability,
  backups: Backups | null,
) {
  const readiness = createReadiness({ parts: partsOf(storage), log, now });
  const up = async (): Promise<Value[]> =>
    (await readiness.states()).map(({ name, ok }) => ({
      labels: { part: name },
      value: ok ? 1 : 0,
    }));
  metrics.add(metricsOf(config, storage, up));
  if (backups) metrics.add(backupMetrics(backups));
  return {
    ready: readiness.check,

    /** Starts a shutdown: load balancers should switch to other servers, and no further job starts. */
    drain(): void {
      readiness.drain();
      storage.jobs.drain(config.drainSeconds + config.stopSeconds);
    },
  };
}
