import { ExtractionError, READ_TYPES } from '@engram/extraction';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import { type Job, type Jobs, PermanentError } from '../../platform/jobs/jobs.ts';
import { artifactPrefix, originalKey } from '../../platform/files/keys.ts';
import type { ArtifactsRepository } from '../artifacts/artifacts.repository.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import { ExtractionCrash, type ExtractionPool, type ReadDocument } from './extraction-pool.ts';
import { createReadingRecorder } from './reading-recorder.ts';

export interface IngestionDependencies {
  database: Database;
  artifacts: ArtifactsRepository;
  files: FileStore;
  index: SearchIndex;
  jobs: Jobs;
  pool: ExtractionPool;
  log: FastifyBaseLogger;
  now: () => Date;
  libraryChanged: (userId: string) => void;
}

interface ReadingJob {
  artifactId: string;
  userId: string;
  revision: number;
}

interface RemovalJob {
  artifactId: string;
  userId: string;
}

const READ = 'read-artifact';
const REMOVE = 'remove-artifact';

/**
 * Files that are under way at the same time. More than there are reading processes, so that one
 * file's rows are written while the next is read.
 */
const READING_JOBS = 6;

/**
 * Tries of a file after the first. Enough that a machine which goes down again and again while it
 * reads does not make its files fail.
 */
const READING_RETRIES = 5;

/** Tries after which a file that ends its reading process is not read again. */
const CRASH_TRIES = 2;

/** Least time between two stored steps of progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 500;

/** How files become searchable: read in a process of their own, chunked, analysed, indexed. */
export function createIngestionService(deps: IngestionDependencies) {
  const { artifacts, files, index, jobs, pool, log, now } = deps;

  const recorder = createReadingRecorder(deps);

  const read = async (
    artifact: ArtifactRow,
    job: Job<ReadingJob>,
  ): Promise<ReadDocument | null> => {
    if (!READ_TYPES.has(artifact.fileType)) return null;
    let shownAt = now().getTime();
    return pool.extract(
      {
        filePath: await files.localPath(originalKey(artifact.userId, artifact.id)),
        fileName: artifact.fileName,
        type: artifact.fileType,
        keywords: artifact.keywords,
        artifactId: artifact.id,
      },
      {
        signal: job.signal,
        onProgress: (percent) => {
          const at = now().getTime();
          if (at - shownAt < PROGRESS_INTERVAL_MS) return;
          shownAt = at;
          recorder.progress(artifact, percent);
        },
      },
    );
  };

  const handleReading = async (job: Job<ReadingJob>): Promise<void> => {
    const { artifactId, userId, revision } = job.data;
    const artifact = await artifacts.find(userId, artifactId);
    if (!artifact || artifact.revision !== revision || artifact.status === 'SUCCESS') return;
    await recorder.begin(artifact);
    try {
      await recorder.finish(artifact, await read(artifact, job));
    } catch (error) {
      // What is wrong with the file itself is wrong at the next try too.
      const hopeless =
        error instanceof ExtractionError ||
        (error instanceof ExtractionCrash && job.attempt >= CRASH_TRIES);
      if (hopeless) throw new PermanentError(error.message, { cause: error });
      throw error;
    }
  };

  return {
    /** Makes the handlers known; the jobs run once the queue is started. */
    async define(): Promise<void> {
      await jobs.define<ReadingJob>(READ, {
        handler: handleReading,
        concurrency: READING_JOBS,
        timeoutSeconds: 1800,
        retryLimit: READING_RETRIES,
        retryDelaySeconds: 1,
        onFailed: async (data, error) => {
          const known = error instanceof PermanentError;
          if (!known) log.error({ err: error, artifactId: data.artifactId }, 'a file was not read');
          await recorder.giveUp(
            data,
            known ? error.message : 'This file could not be read. Please try again.',
          );
        },
      });
      await jobs.define<RemovalJob>(REMOVE, {
        handler: async ({ data }) => {
          await index.remove(data.userId, [data.artifactId]);
          await files.removePrefix(artifactPrefix(data.userId, data.artifactId));
        },
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 10,
        retryDelaySeconds: 5,
        onFailed: async (data, error) => {
          log.error({ err: error, artifactId: data.artifactId }, 'a deleted file left traces');
        },
      });
    },

    /**
     * Removes stored bytes that no artifact has: what an upload left that a kill cut short. To be
     * called before uploads are taken, whose bytes come before their rows.
     */
    async sweep(): Promise<void> {
      const owners = new Map<string, string>();
      for (const key of await files.list('')) {
        const [userId = '', artifactId = ''] = key.split('/');
        owners.set(artifactId, userId);
      }
      const known = await artifacts.known([...owners.keys()]);
      for (const [artifactId, userId] of owners) {
        if (!known.has(artifactId)) await files.removePrefix(artifactPrefix(userId, artifactId));
      }
    },

    enqueueReading: async (
      tx: Executor,
      { id, userId, revision }: { id: string; userId: string; revision: number },
    ): Promise<void> => {
      const data = { artifactId: id, userId, revision };
      await jobs.enqueue(READ, data, { key: `${id}:${revision}`, group: userId, tx });
    },

    enqueueRemoval: async (tx: Executor, { id, userId }: { id: string; userId: string }) => {
      await jobs.enqueue(REMOVE, { artifactId: id, userId }, { key: id, group: userId, tx });
    },
  };
}

export type IngestionService = ReturnType<typeof createIngestionService>;
