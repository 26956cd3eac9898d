import { indexTerms } from '@engram/retrieval';
import type { Executor } from '../../platform/database/database.ts';
import type { IndexRow, SearchIndex } from '../../platform/index/search-index.ts';
import type { Job, Jobs } from '../../platform/jobs/jobs.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { ArtifactsRepository } from './artifacts.repository.ts';
import type { ArtifactRow } from './artifacts.tables.ts';
import type { Reread } from './rereading.ts';

export interface KeywordTermsDependencies {
  artifacts: Pick<ArtifactsRepository, 'find'>;
  index: SearchIndex;
  jobs: Jobs;
  log: FastifyBaseLogger;
  now: () => Date;
  readAgain: Reread;
}

interface KeywordTermsJob {
  userId: string;
  artifactId: string;
}

const QUEUE = 'index-keywords';

/** How often to look whether a reading has ended, in milliseconds. */
const READING_PATIENCE_MS = 3000;

/**
 * The rows of a file with the terms of its name, its folders and its keywords as they are now. Between two rows the event loop
 * goes on.
 */
async function withTermsOf(artifact: ArtifactRow, rows: readonly IndexRow[]): Promise<IndexRow[]> {
  const { fileName, path, keywords } = artifact;
  const context = { fileName, path, keywords, language: artifact.language ?? 'en' };
  const fresh: IndexRow[] = [];
  for (const row of rows) {
    fresh.push({ ...row, terms: indexTerms(row, context) });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return fresh;
}

/**
 * Brings changed keywords into the index, from the rows that stand there: the file is not read
 * again, and its rows are replaced in one step.
 */
export function createKeywordTerms(deps: KeywordTermsDependencies) {
  const { artifacts, index, jobs, log, now } = deps;

  const enqueue = (job: KeywordTermsJob, options: { tx?: Executor; startAfter?: Date }) =>
    jobs.enqueue(QUEUE, job, { key: job.artifactId, group: job.userId, ...options });

  const handle = async ({ data }: Job<KeywordTermsJob>): Promise<void> => {
    const { userId, artifactId } = data;
    const artifact = await artifacts.find(userId, artifactId);
    if (!artifact) return;
    // Its reading may have begun with the keywords of before.
    if (artifact.status === 'PENDING' || artifact.status === 'PROCESSING') {
      await enqueue(data, { startAfter: new Date(now().getTime() + READING_PATIENCE_MS) });
      return;
    }
    const rows = await index.rows(userId, artifactId);
    if (rows.length === 0) return;
    await index.replace(userId, [{ artifactId, rows: await withTermsOf(artifact, rows) }]);
    const current = await artifacts.find(userId, artifactId);
    // Deleted meanwhile: what was just indexed must not outlive it.
    if (!current) await index.remove(userId, [artifactId]);
    // Read anew meanwhile: the rows of that reading may have been replaced by earlier ones.
    else if (current.revision !== artifact.revision) await deps.readAgain([current]);
  };

  return {
    /** Makes the queue known. */
    async define(): Promise<void> {
      await jobs.define<KeywordTermsJob>(QUEUE, {
        handler: handle,
        concurrency: 1,
        timeoutSeconds: 300,
        retryLimit: 10,
        retryDelaySeconds: 5,
        onFailed: async ({ artifactId }, error) => {
          log.error({ err: error, artifactId }, 'changed keywords did not reach the index');
        },
      });
    },

    /** Queues the change, within the transaction that made it. */
    enqueue: (tx: Executor, { id, userId }: { id: string; userId: string }): Promise<void> =>
      enqueue({ userId, artifactId: id }, { tx }),
  };
}

export type KeywordTerms = ReturnType<typeof createKeywordTerms>;
