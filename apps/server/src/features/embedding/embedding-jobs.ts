import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { embeddedText } from '../../platform/ai/encoders/embedder.ts';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/database.ts';
import type {
  RowVector,
  SearchIndex,
  UnembeddedRow,
  VectorModel,
} from '../../platform/index/search-index.ts';
import type { Job, Jobs } from '../../platform/jobs/jobs.ts';
import type { ArtifactsRepository } from '../artifacts/artifacts.repository.ts';

export interface EmbeddingJobsOptions {
  embedder: Embedder | null;
  index: SearchIndex;
  jobs: Jobs;
  artifacts: Pick<ArtifactsRepository, 'ownerIds' | 'fileNames'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock: Clock;
  yieldToRequests: (maxMs: number) => Promise<void>;
}

const QUEUE = 'embed-library';
/** A job usually takes seconds, but minutes if a local model yields to many questions. */
const TIMEOUT_SECONDS = 1800;
/** The next job of the user is queued behind those of other users. */
const CHUNKS_PER_JOB = 64;
const CHUNKS_PER_CALL = 4;
const YIELD_MS = 1000;
/** The pause after a failure of the model. It doubles up to the maximum. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** After this many consecutive refusals, the model is considered at fault, not the files. */
const MAX_CONSECUTIVE_REFUSALS = 3;
/** The progress of users. It expires, because another server may continue their jobs. */
const PROGRESS_CACHE = { max: 10_000, ttl: 2 * LONGEST_PAUSE_MS };

interface EmbeddingJob {
  userId: string;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ModelUnavailable && (error.reason === 'refused' || error.reason === 'malformed');

function* batchesOf(rows: readonly UnembeddedRow[]): Generator<UnembeddedRow[]> {
  for (const chunks of Map.groupBy(rows, ({ artifactId }) => artifactId).values()) {
    for (let start = 0; start < chunks.length; start += CHUNKS_PER_CALL) {
      yield chunks.slice(start, start + CHUNKS_PER_CALL);
    }
  }
}

/**
 * The jobs that create missing vectors. A user has up to one waiting and one running job on all servers.
 * Jobs can be repeated, because they read from the index which chunks lack a vector.
 */
export function createEmbeddingJobs(options: EmbeddingJobsOptions) {
  const { embedder, index, jobs, artifacts, log, clock, yieldToRequests } = options;
  const counts = new LRUCache<string, { embedded: number; missing: number }>(PROGRESS_CACHE);
  /** Files that the model refused since the start. Never mutated, because the index caches sets. */
  let refused: ReadonlySet<string> = new Set();
  let consecutiveRefusals: string[] = [];
  let pauses = 0;
  let pauseEnds = 0;

  const enqueue = (
    userIds: readonly string[],
    when: { tx?: Executor; startAfter?: Date } = {},
  ): Promise<void> =>
    jobs.enqueueAll<EmbeddingJob>(
      QUEUE,
      // Sorted, so that concurrent transactions lock the jobs of users in the same order.
      userIds.toSorted().map((userId) => ({ data: { userId }, key: userId })),
      when,
    );

  const enqueueIn = (userId: string, milliseconds: number): Promise<void> =>
    enqueue([userId], { startAfter: new Date(Date.now() + milliseconds) });

  async function embed(rows: readonly UnembeddedRow[], signal: AbortSignal): Promise<RowVector[]> {
    const names = await artifacts.fileNames(rows.map(({ artifactId }) => artifactId));
    const texts = rows.map((row) => embeddedText(row, names.get(row.artifactId) ?? ''));
    const vectors = (await embedder?.embed(texts, 'passage', signal)) ?? [];
    signal.throwIfAborted();
    return rows.flatMap(({ key }, i) => {
      const vector = vectors[i];
      return vector ? [{ key, vector }] : [];
    });
  }

  /** Skips a file from now on. Throws the error if the model seems to be at fault. */
  function skip(artifactId: string, error: unknown): void {
    consecutiveRefusals.push(artifactId);
    if (consecutiveRefusals.length < MAX_CONSECUTIVE_REFUSALS) {
      refused = new Set([...refused, artifactId]);
      log.warn({ err: error, artifactId }, 'the model refused a file');
      return;
    }
    refused = refused.difference(new Set(consecutiveRefusals));
    consecutiveRefusals = [];
    throw error;
  }

  /** Embeds the chunks of one job. Returns true if no vector was missing. */
  async function embedNext(userId: string, model: VectorModel, signal: AbortSignal) {
    const request = { limit: CHUNKS_PER_JOB, exclude: refused };
    const { rows, ...userCounts } = await index.unembedded(userId, model, request);
    counts.set(userId, userCounts);
    for (const batch of batchesOf(rows)) {
      const artifactId = batch[0]?.artifactId ?? '';
      if (refused.has(artifactId)) continue;
      await yieldToRequests(YIELD_MS);
      try {
        await index.addVectors(userId, model, await embed(batch, signal));
        consecutiveRefusals = [];
      } catch (error) {
        if (!isRefusal(error)) throw error;
        skip(artifactId, error);
      }
    }
    return rows.length === 0;
  }

  /** Marks the model as complete, which removes the vectors of other models. */
  async function complete(userId: string, model: VectorModel): Promise<void> {
    const [first, ...others] = await index.models(userId);
    const isComplete = others.length === 0 && first?.key === model.key && first.complete;
    if (!isComplete) await index.completeModel(userId, model);
  }

  async function handle({ data: { userId }, signal }: Job<EmbeddingJob>): Promise<void> {
    const model = embedder?.model();
    // All users are enqueued when the model becomes ready.
    if (!model) return;
    const pauseMs = pauseEnds - clock.now();
    if (pauseMs > 0) return enqueueIn(userId, pauseMs);
    try {
      const isFinished = await embedNext(userId, model, signal);
      pauses = 0;
      if (!isFinished) return await enqueue([userId]);
      counts.delete(userId);
      await complete(userId, model);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelUnavailable)) {
        log.warn({ err: error, userId }, 'vectors could not be created');
      }
      const nextPauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
      pauses += 1;
      pauseEnds = clock.now() + nextPauseMs;
      await enqueueIn(userId, nextPauseMs);
    }
  }

  jobs.define<EmbeddingJob>(QUEUE, {
    handler: handle,
    concurrency: 1,
    timeoutSeconds: TIMEOUT_SECONDS,
    retryLimit: 5,
    retryDelaySeconds: 60,
    recurring: true,
  });

  return {
    enqueue,

    /** Ends the pause after a failure. Postponed jobs must be enqueued again. */
    endPause(): void {
      pauses = 0;
      pauseEnds = 0;
    },

    /** The chunks of users with missing vectors, and how many are done; null if no vector is missing. */
    progress(): { done: number; total: number } | null {
      const incomplete = [...counts.values()].filter(({ missing }) => missing > 0);
      if (incomplete.length === 0) return null;
      const done = incomplete.reduce((sum, { embedded }) => sum + embedded, 0);
      return { done, total: done + incomplete.reduce((sum, { missing }) => sum + missing, 0) };
    },
  };
}
