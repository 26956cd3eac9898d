import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import { createTimeBudget } from '../../platform/ai/time-budget.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ArtifactLimits, NearPassage } from '../../platform/index/search-index.ts';
import { createEmbeddingJobs, type EmbeddingJobsOptions } from './embedding-jobs.ts';

interface EmbeddingOptions extends Omit<EmbeddingJobsOptions, 'clock'> {
  /** Opens the model of an earlier setting, if it is still available. */
  openEmbedder: (setting: string) => Embedder | null;
  clock?: Clock;
  /** Limit for the vector of a question and its neighbours, in milliseconds. */
  timeLimitMs: number;
  /** Whether this server creates vectors. If not, it searches those that other servers created. */
  makesVectors?: boolean;
}

interface NearestRequest {
  question: string;
  limit: number;
  limits: ArtifactLimits;
  done: (stage: string) => void;
}

const CACHED_QUESTIONS = 200;
/** Idle milliseconds after which an earlier model is closed. */
const EARLIER_MODEL_IDLE_MS = 10 * 60_000;
const MAX_EARLIER_MODELS = 3;

const OFF = 'ENGRAM_EMBEDDINGS is set to none: passages are found by their words.';

const counted = (number: number): string => number.toLocaleString('en-US');

/** Semantic search: creates a vector for each chunk and finds the chunks nearest to a question. */
export function createEmbeddingService(options: EmbeddingOptions) {
  const { embedder, index, artifacts, log, clock = systemClock, makesVectors = true } = options;
  const questions = new LRUCache<string, Float32Array>({ max: CACHED_QUESTIONS });
  const closing = new Set<Promise<void>>();
  /** Models of earlier settings, by setting. */
  const earlier = new LRUCache<string, Embedder>({
    max: MAX_EARLIER_MODELS,
    ttl: EARLIER_MODEL_IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose(closed) {
      const ending = closed.close().finally(() => closing.delete(ending));
      closing.add(ending);
    },
  });
  const embeddingJobs = createEmbeddingJobs({ ...options, clock });
  const budget = createTimeBudget({
    clock,
    limitMs: options.timeLimitMs,
    onFailure: (error) => log.warn({ err: error }, 'a question was answered by keywords alone'),
  });
  let enqueuing: Promise<void> = Promise.resolve();

  function earlierEmbedder(setting: string): Embedder | null {
    const cached = earlier.get(setting);
    if (cached) return cached;
    const opened = options.openEmbedder(setting);
    opened?.start();
    if (opened) earlier.set(setting, opened);
    return opened;
  }

  /**
   * The embedder whose vectors are searched: the current one, or a complete earlier one while the
   * current one is incomplete.
   */
  async function choose(userId: string) {
    const current = embedder?.model() ?? null;
    const models = await index.models(userId);
    const indexed = models.find(({ key }) => key === current?.key);
    if (embedder && indexed?.complete) return { embedder, model: indexed };
    for (const model of models) {
      if (!model.complete || model.setting === embedder?.setting) continue;
      const other = earlierEmbedder(model.setting);
      if (other?.model()?.key === model.key) return { embedder: other, model };
    }
    return embedder && indexed ? { embedder, model: indexed } : null;
  }

  async function search(
    userId: string,
    { question, limit, limits, done }: NearestRequest,
    signal: AbortSignal,
  ): Promise<NearPassage[]> {
    const chosen = await choose(userId);
    if (!chosen) return [];
    const { model } = chosen;
    const name = `${model.key} ${question}`;
    let vector = questions.get(name);
    if (!vector) {
      [vector] = await chosen.embedder.embed([question], 'query', signal);
      signal.throwIfAborted();
      if (vector) questions.set(name, vector);
    }
    done('embed');
    if (!vector) return [];
    const found = await index.nearest(userId, model, { vector, limit, ...limits });
    signal.throwIfAborted();
    done('vectors');
    return found;
  }

  /** Enqueues all users, whose vectors may be missing or be of an earlier model. */
  function enqueueAll(before: (userId: string) => Promise<unknown> = async () => undefined): void {
    enqueuing = (async () => {
      const owners = await artifacts.owners();
      for (const userId of owners) await before(userId);
      if (makesVectors) await embeddingJobs.enqueue(owners);
    })().catch((error: unknown) => {
      log.warn({ err: error }, 'the jobs for missing vectors were not enqueued');
    });
  }

  return {
    /** Starts to load the model, and earlier ones that are still needed. */
    start(): void {
      embedder?.start();
      if (embedder) enqueueAll(choose);
    },

    /** Enqueues all users again, because the index may have lost vectors. */
    checkAll(): void {
      if (embedder) enqueueAll();
    },

    /** Must be called when the embedder's model becomes usable. */
    modelIsReady(): void {
      embeddingJobs.endPause();
      enqueueAll();
    },

    /** Must be called in each transaction that adds, changes or deletes files. */
    async changed(tx: Executor, userIds: readonly string[]): Promise<void> {
      if (embedder) await embeddingJobs.enqueue(userIds, { tx });
    },

    /**
     * The chunks nearest to a question, best first. Empty if there is no model, or if it fails or takes
     * too long, because keywords are searched too.
     */
    async nearest(userId: string, request: NearestRequest): Promise<NearPassage[]> {
      if (!embedder) return [];
      return budget.run<NearPassage[]>([], (signal) => search(userId, request, signal));
    },

    describe(): { on: boolean; detail: string } {
      const { on, detail } = embedder?.describe() ?? { on: false, detail: OFF };
      const progress = embeddingJobs.progress();
      if (!on || !progress) return { on, detail };
      const { done, total } = progress;
      return { on, detail: `${detail} Embedding: ${counted(done)} of ${counted(total)} passages.` };
    },

    /** Resolves when no model is being opened and all users are enqueued. */
    async settled(): Promise<void> {
      await embedder?.settled();
      await enqueuing;
      for (const model of earlier.values()) await model.settled();
    },

    async close(): Promise<void> {
      await enqueuing;
      earlier.clear();
      await Promise.all(closing);
      await embedder?.close();
    },
  };
}

export type EmbeddingService = ReturnType<typeof createEmbeddingService>;
