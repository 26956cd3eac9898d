import type { FastifyBaseLogger } from 'fastify';
import type { Executor } from '../../platform/database/database.ts';
import type { IndexRow, SearchIndex } from '../../platform/index/search-index.ts';
import type { Job, Jobs } from '../../platform/jobs/jobs.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadingsRepository } from '../artifacts/readings.repository.ts';
import type { IndexAgain, Reread } from '../artifacts/rereading.ts';
import { nameRow } from './index-rows.ts';
import type { RowsTask } from './index-rows-thread.ts';

export interface IndexingDependencies {
  readings: Pick<ReadingsRepository, 'find' | 'document'>;
  index: Pick<SearchIndex, 'artifactIds' | 'replace' | 'remove'>;
  jobs: Jobs;
  log: FastifyBaseLogger;
  now: () => Date;
  readAgain: Reread;
}

interface IndexingJob {
  userId: string;
  artifactId: string;
}

const QUEUE = 'index-again';

/** How often to look whether a reading has ended, in milliseconds. */
const READING_PATIENCE_MS = 3000;

/** What the rows of one file may take: chunks of 50 MB of text come in two seconds. */
const ROWS_MS = 60_000;
const IDLE_MS = 10_000;
const HEAP_MB = 512;

/**
 * Brings files into the index as they are stored, without reading them again: those whose name, place
 * or keywords changed, and those that the index has lost. All rows of a file are replaced in one step.
 */
export function createIndexing(deps: IndexingDependencies) {
  const { readings, index, jobs, log, now } = deps;
  const script = new URL('index-rows-thread.ts', import.meta.url);
  const threads = createThreads<RowsTask>({ script, most: 1, idleMs: IDLE_MS, heapMb: HEAP_MB });

  const enqueue = (job: IndexingJob, options: { tx?: Executor; startAfter?: Date } = {}) =>
    jobs.enqueue(QUEUE, job, { key: job.artifactId, group: job.userId, ...options });

  const again: IndexAgain = ({ id, userId }, tx) =>
    enqueue({ userId, artifactId: id }, tx ? { tx } : {});

  /** The rows of a file; null where its text is missing. */
  async function rowsOf(artifact: ArtifactRow): Promise<IndexRow[] | null> {
    const { id: artifactId, fileName, path, keywords, indexed } = artifact;
    const context = { artifactId, fileName, path, keywords };
    if (!indexed) return [nameRow(context)];
    const document = await readings.document(artifactId);
    if (!document || document.text === '') return null;
    const language = artifact.language ?? 'en';
    const task: RowsTask = [document, { ...context, language }];
    return (await threads.run(task, { leftMs: ROWS_MS })) as IndexRow[];
  }

  /** A user's files that are queued. */
  async function underWay(userId: string): Promise<Set<string>> {
    const waiting = (await jobs.unfinished(QUEUE, userId)) as IndexingJob[];
    return new Set(waiting.map(({ artifactId }) => artifactId));
  }

  const handle = async ({ data }: Job<IndexingJob>): Promise<void> => {
    const { userId, artifactId } = data;
    const artifact = await readings.find(artifactId);
    if (!artifact) return;
    // Its reading may have begun with the keywords of before.
    if (artifact.status === 'PENDING' || artifact.status === 'PROCESSING') {
      await enqueue(data, { startAfter: new Date(now().getTime() + READING_PATIENCE_MS) });
      return;
    }
    const rows = await rowsOf(artifact);
    if (!rows) return deps.readAgain([artifact]);
    await index.replace(userId, [{ artifactId, rows }]);
    const current = await readings.find(artifactId);
    // Deleted meanwhile: what was just indexed must not outlive it.
    if (!current) await index.remove(userId, [artifactId]);
    // Read again meanwhile: the rows of that reading may have been replaced by earlier ones.
    else if (current.revision !== artifact.revision) await deps.readAgain([current]);
  };

  return {
    /** Makes the queue known. */
    async define(): Promise<void> {
      await jobs.define<IndexingJob>(QUEUE, {
        handler: handle,
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 10,
        retryDelaySeconds: 5,
        onFailed: async ({ artifactId }, error) => {
          log.error({ err: error, artifactId }, 'a file as it is now did not reach the index');
        },
      });
    },

    enqueue: again,

    underWay,

    /** How many of a user's files are queued and not in the index, not even as they were before. */
    async missing(userId: string): Promise<number> {
      const waiting = await underWay(userId);
      return waiting.size === 0 ? 0 : waiting.difference(await index.artifactIds(userId)).size;
    },

    close: threads.close,
  };
}

export type Indexing = ReturnType<typeof createIndexing>;
