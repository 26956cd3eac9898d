import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { IndexRow } from '../../platform/index/search-index.ts';
import type { Job } from '../../platform/jobs/jobs.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import { nameRow } from './index-rows.ts';
import type { RowsTask } from './index-rows-thread.ts';

interface IndexingJob {
  userId: string;
  artifactId: string;
}

const QUEUE = 'index-again';

/** The delay before a job checks again whether an extraction has ended, in milliseconds. */
const RETRY_AFTER_MS = 3000;

/** The time limit for creating the rows of one file. 50 MB of text take two seconds. */
const ROWS_MS = 60_000;
const IDLE_MS = 10_000;
const HEAP_MB = 512;

/**
 * Reindexes files from their stored text, after their name, path or keywords changed, or if they are
 * missing from the index.
 */
export function createIndexing({ storage, log, now }: Core) {
  const { index, jobs, extractions, texts, reprocess } = storage;
  const script = new URL('index-rows-thread.ts', import.meta.url);
  const threads = createThreads<RowsTask>({ script, max: 1, idleMs: IDLE_MS, heapMb: HEAP_MB });

  const enqueue = (job: IndexingJob, options: { tx?: Executor; startAfter?: Date } = {}) =>
    jobs.enqueue(QUEUE, job, { key: job.artifactId, group: job.userId, ...options });

  async function rowsOf(artifact: ArtifactRow): Promise<IndexRow[] | null> {
    const { id: artifactId, fileName, path, keywords, indexed } = artifact;
    const context = { artifactId, fileName, path, keywords };
    if (!indexed) return [nameRow(context)];
    const document = await texts.document(artifactId);
    if (!document || document.text === '') return null;
    const language = artifact.language ?? 'en';
    const task: RowsTask = [document, { ...context, language }];
    return (await threads.run(task, { leftMs: ROWS_MS })) as IndexRow[];
  }

  async function unfinished(userId: string): Promise<Set<string>> {
    const waiting = (await jobs.unfinished(QUEUE, userId)) as IndexingJob[];
    return new Set(waiting.map(({ artifactId }) => artifactId));
  }

  const handle = async ({ data }: Job<IndexingJob>): Promise<void> => {
    const { userId, artifactId } = data;
    const artifact = await extractions.find(artifactId);
    if (!artifact) return;
    // Its extraction may have started with the old name and keywords.
    if (artifact.status === 'PENDING' || artifact.status === 'PROCESSING') {
      await enqueue(data, { startAfter: new Date(now().getTime() + RETRY_AFTER_MS) });
      return;
    }
    const rows = await rowsOf(artifact);
    if (!rows) return reprocess([artifact]);
    await index.replace(userId, [{ artifactId, rows }]);
    const current = await extractions.find(artifactId);
    // The file was deleted in the meantime.
    if (!current) await index.remove(userId, [artifactId]);
    // The file was extracted again in the meantime, and these rows may have replaced newer ones.
    else if (current.revision !== artifact.revision) await reprocess([current]);
  };

  jobs.define<IndexingJob>(QUEUE, {
    handler: handle,
    concurrency: 1,
    timeoutSeconds: 300,
    retryLimit: 10,
    retryDelaySeconds: 5,
    onFailed: async ({ artifactId }, error) => {
      log.error({ err: error, artifactId }, 'a file could not be reindexed');
    },
  });

  return {
    enqueue: ({ id, userId }: Pick<ArtifactRow, 'id' | 'userId'>, tx?: Executor): Promise<void> =>
      enqueue({ userId, artifactId: id }, tx ? { tx } : {}),

    unfinished,

    /** The number of a user's queued files that are not in the index. */
    async missing(userId: string): Promise<number> {
      const waiting = await unfinished(userId);
      return waiting.size === 0 ? 0 : waiting.difference(await index.artifactIds(userId)).size;
    },

    close: threads.close,
  };
}

export type Indexing = ReturnType<typeof createIndexing>;
