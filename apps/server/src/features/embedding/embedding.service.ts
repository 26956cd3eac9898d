import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import { createTimeBudget } from '../../platform/ai/time-budget.ts';
import type {
  ArtifactLimits,
  NearPassage,
  SearchIndex,
} from '../../platform/index/search-index.ts';
import {
  createEmbeddingWork,
  type EmbeddedIndex,
  type EmbeddingWorkDependencies,
} from './embedding-work.ts';
import { createPreviousModels } from './previous-models.ts';

export interface EmbeddingDependencies {
  /** Null when none is wanted. Its `onReady` calls {@link EmbeddingService.modelIsReady}. */
  embedder: Embedder | null;
  /** Opens the model of an earlier setting, if it is still here. */
  openEmbedder: (setting: string) => Embedder | null;
  index: EmbeddedIndex & Pick<SearchIndex, 'nearest'>;
  jobs: EmbeddingWorkDependencies['jobs'];
  /** People who have files. */
  owners: () => Promise<string[]>;
  /** The names of files by their ids. */
  fileNames: (ids: readonly string[]) => Promise<Map<string, string>>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock?: Clock;
  /** How long a question's vector and its neighbours are waited for, in milliseconds. */
  timeLimitMs: number;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
  /** Whether this server makes vectors; one that does not only finds by those of others. */
  makesVectors?: boolean;
}

export interface NearestRequest {
  /** The question as it was asked. */
  question: string;
  /** How many chunks are wanted. */
  limit: number;
  limits: ArtifactLimits;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** Questions whose vectors are kept for a while. */
const REMEMBERED_QUESTIONS = 200;

const OFF = 'ENGRAM_EMBEDDINGS is none: passages are found by their words.';

const counted = (number: number): string => number.toLocaleString('en-US');

/** Finding by meaning: keeps a vector of each chunk, and finds those near to a question. */
export function createEmbeddingService(deps: EmbeddingDependencies) {
  const { embedder, index, clock = systemClock, log, makesVectors = true } = deps;
  const previous = createPreviousModels(deps.openEmbedder);
  const questions = new LRUCache<string, Float32Array>({ max: REMEMBERED_QUESTIONS });

  const work = createEmbeddingWork({ ...deps, clock });

  /**
   * The embedder whose vectors are searched: the current one's, or, while those are made, an earlier
   * one's that are complete. Without such the vectors made so far count: a chunk without one is found
   * by its words.
   */
  async function choose(userId: string) {
    const current = embedder?.model() ?? null;
    const models = await index.models(userId);
    const own = models.find(({ key }) => key === current?.key);
    if (embedder && own?.complete) return { embedder, model: own };
    for (const model of models) {
      if (!model.complete || model.setting === embedder?.setting) continue;
      const earlier = previous.embedderOf(model);
      if (earlier) return { embedder: earlier, model };
    }
    return embedder && own ? { embedder, model: own } : null;
  }

  /** One question may be looked for more than once, in fewer files or in other words. */
  async function vectorOf(
    { embedder: asked, model }: NonNullable<Awaited<ReturnType<typeof choose>>>,
    question: string,
    signal: AbortSignal,
  ): Promise<Float32Array | undefined> {
    const name = `${model.key} ${question}`;
    const remembered = questions.get(name);
    if (remembered) return remembered;
    const [vector] = await asked.embed([question], 'query', signal);
    signal.throwIfAborted();
    if (vector) questions.set(name, vector);
    return vector;
  }

  const budget = createTimeBudget({
    clock,
    limitMs: deps.timeLimitMs,
    onFailure: (error) => log.warn({ err: error }, 'a question was answered by words alone'),
  });

  async function search(
    userId: string,
    { question, limit, limits, done }: NearestRequest,
    signal: AbortSignal,
  ): Promise<NearPassage[]> {
    const chosen = await choose(userId);
    if (!chosen) return [];
    const vector = await vectorOf(chosen, question, signal);
    done('embed');
    if (!vector) return [];
    const found = await index.nearest(userId, chosen.model, { vector, limit, ...limits });
    signal.throwIfAborted();
    done('vectors');
    return found;
  }

  let looking: Promise<void> = Promise.resolve();

  /** Looks what is missing of everybody, or is left over. */
  function lookAtAll(first: (userId: string) => Promise<unknown> = async () => undefined): void {
    looking = (async () => {
      const people = await deps.owners();
      for (const userId of people) await first(userId);
      if (makesVectors) await work.look(people);
    })().catch((error: unknown) => {
      log.warn({ err: error }, 'it is not known whose vectors are missing');
    });
  }

  return {
    /** Makes the queue of the vectors to be made known. */
    define: work.define,

    /** Begins to bring the model here; with it comes the rest. */
    start(): void {
      embedder?.start();
      // So that an earlier model is there by the first question.
      if (embedder) lookAtAll(choose);
    },

    /** Looks at everybody: what a killed server had not announced, and what the index has lost. */
    lookAgain(): void {
      if (embedder) lookAtAll();
    },

    /** To be called when the embedder's model became usable. */
    modelIsReady(): void {
      work.modelIsReady();
      lookAtAll();
    },

    /** To be called whenever a file was added, read, archived or deleted. */
    changed(userId: string): void {
      if (embedder) work.changed(userId);
    },

    /**
     * The chunks nearest to a question, best first. None where there is no model, or where it takes
     * too long or fails: then words alone have to do.
     */
    async nearest(userId: string, request: NearestRequest): Promise<NearPassage[]> {
      if (!embedder) return [];
      return budget.run<NearPassage[]>([], (signal) => search(userId, request, signal));
    },

    /** What is used and how far it is. */
    describe(): { on: boolean; detail: string } {
      const { on, detail } = embedder?.describe() ?? { on: false, detail: OFF };
      const progress = work.progress();
      if (!on || !progress) return { on, detail };
      const { done, total } = progress;
      return { on, detail: `${detail} Embedding: ${counted(done)} of ${counted(total)} passages.` };
    },

    /** Settles when nothing is left to do, or has to wait for a model. */
    async settled(): Promise<void> {
      await embedder?.settled();
      await looking;
      await previous.settled();
      await work.settled();
    },

    async close(): Promise<void> {
      await looking;
      await work.close();
      await previous.close();
      await embedder?.close();
    },
  };
}

export type EmbeddingService = ReturnType<typeof createEmbeddingService>;
