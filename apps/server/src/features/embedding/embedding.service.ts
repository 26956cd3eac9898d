import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import { createTimeBudget } from '../../platform/ai/time-budget.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ArtifactLimits, NearPassage } from '../../platform/index/search-index.ts';
import { createEmbeddingJobs, type EmbeddingJobsOptions } from './embedding-jobs.ts';

interface EmbeddingOptions extends Omit<EmbeddingJobsOptions, 'clock'> {
  /** Opens the model of an earlier setting; null if it is no longer available. */
  openEmbedder: (setting: string) => Embedder | null;
  clock?: Clock;
  timeLimitMs: number;
  /** Whether this server creates vectors. Otherwise it searches those of other servers. */
  makesVectors?: boolean;
}

interface NearestRequest {
  question: string;
  limit: number;
  limits: ArtifactLimits;
  done: (stage: string) => void;
}

const CACHED_QUESTIONS = 200;
const EARLIER_MODEL_IDLE_MS = 10 * 60_000;
const MAX_EARLIER_MODELS = 3;

const OFF = 'ENGRAM_EMBEDDINGS is set to none: passages are found by their words.';

const format = (number: number): string => number.toLocaleString('en-US');

/** Semantic search: creates a vector for each chunk and finds the chunks nearest to a question. */
export function createEmbeddingService(options: EmbeddingOptions) {
  const { embedder, index, artifacts, log, clock = systemClock, makesVectors = true } = options;
  const questions = new LRUCache<string, Float32Array>({ max: CACHED_QUESTIONS });
  const closing = new Set<Promise<void>>();
  const earlier = new LRUCache<string, Embedder>({
    max: MAX_EARLIER_MODELS,
    ttl: EARLIER_MODEL_IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose(model) {
      const closed = model.close().finally(() => closing.delete(closed));
      closing.add(closed);
    },
  });
  const embeddingJobs = createEmbeddingJobs({ ...options, clock });
  const budget = createTimeBudget({
    clock,
    limitMs: options.timeLimitMs,
    onFailure: (error) => log.warn({ err: error }, 'a question was answered with keywords alone'),
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

  /** The embedder to search with: the current one, or an earlier one while only its vectors are complete. */
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
    const key = `${model.key} ${question}`;
    let vector = questions.get(key);
    if (!vector) {
      [vector] = await chosen.embedder.embed([question], 'query', signal);
      signal.throwIfAborted();
      if (vector) questions.set(key, vector);
    }
    done('embed');
    if (!vector) return [];
    const passages = await index.nearest(userId, model, { vector, limit, ...limits });
    signal.throwIfAborted();
    done('vectors');
    return passages;
  }

  /** Enqueues all users, because their vectors may be missing or belong to an earlier model. */
  function enqueueAll({ openModels = false } = {}): void {
    enqueuing = (async () => {
      const userIds = await artifacts.ownerIds();
      if (openModels) for (const userId of userIds) await choose(userId);
      if (makesVectors) await embeddingJobs.enqueue(userIds);
    })().catch((error: unknown) => {
      log.warn({ err: error }, 'the jobs for missing vectors were not enqueued');
    });
  }

  return {
    /** Starts loading the model, and earlier ones that are still needed. */
    start(): void {
      embedder?.start();
      if (embedder) enqueueAll({ openModels: true });
    },

    checkAll(): void {
      if (embedder) enqueueAll();
    },

    modelIsReady(): void {
      embeddingJobs.endPause();
      enqueueAll();
    },

    /** Called in each transaction that adds, changes or deletes files. */
    async changed(tx: Executor, userIds: readonly string[]): Promise<void> {
      if (embedder) await embeddingJobs.enqueue(userIds, { tx });
    },

    /** The chunks nearest to a question, best first. Empty if the model is off, fails or is too slow. */
    async nearest(userId: string, request: NearestRequest): Promise<NearPassage[]> {
      if (!embedder) return [];
      return budget.run<NearPassage[]>([], (signal) => search(userId, request, signal));
    },

    describe(): { on: boolean; detail: string } {
      const { on, detail } = embedder?.describe() ?? { on: false, detail: OFF };
      const progress = embeddingJobs.progress();
      if (!on || !progress) return { on, detail };
      const { done, total } = progress;
      return { on, detail: `${detail} Embedding: ${format(done)} of ${format(total)} passages.` };
    },

    /** Resolves when all models are open and all users are enqueued. */
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
