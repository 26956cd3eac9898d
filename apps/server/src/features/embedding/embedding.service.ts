import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../platform/ai/clock.ts';
import type { Embedder } from '../../platform/ai/embedding/embedder.ts';
import type { FoundPassage, SearchIndex } from '../../platform/index/search-index.ts';
import type { NearChunk, StoredModel, VectorStore } from '../../platform/vectors/vector-store.ts';
import { chunkDigest } from './embedded-text.ts';
import type { ReadableFile } from './embedding-plan.ts';
import { createEmbeddingWork } from './embedding-work.ts';
import { createPreviousModels } from './previous-models.ts';

export interface EmbeddingDependencies {
  /** Null when none is wanted. Its `onReady` calls {@link EmbeddingService.modelIsReady}. */
  embedder: Embedder | null;
  /** Opens the model of an earlier setting, if it is still here. */
  openEmbedder: (setting: string) => Embedder | null;
  vectors: VectorStore;
  index: Pick<SearchIndex, 'rows' | 'rowsAt' | 'stats'>;
  /** People who have files. */
  owners: () => Promise<string[]>;
  /** A person's files that have text in the index, newest first. */
  readable: (userId: string) => Promise<ReadableFile[]>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock?: Clock;
  /** How long a question's vector and its neighbours are waited for, in milliseconds. */
  timeLimitMs: number;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack: (patienceMs: number) => Promise<void>;
}

/** Only these files, or all but these. */
export type Limits = { only: ReadonlySet<string> } | { exclude: ReadonlySet<string> };

export interface NearestRequest {
  /** The question as it was asked. */
  question: string;
  /** How many chunks are wanted. */
  limit: number;
  limits: Limits;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** A chunk that was found by its words, its meaning, or both. */
export interface JoinedPassage extends FoundPassage {
  /** The cosine of question and chunk; only of the nearest. */
  similarity?: number;
}

/** Questions whose vectors are kept for a while. */
const REMEMBERED_QUESTIONS = 200;

/** Questions in a row that got no neighbours, until the next ones do not ask for a while. */
const FAILURES_UNTIL_PAUSE = 3;
/** How long they do not, in milliseconds; doubles up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

const OFF = 'ENGRAM_EMBEDDINGS is none: passages are found by their words.';

const counted = (number: number): string => number.toLocaleString('en-US');

/** Finding by meaning: keeps a vector of each chunk, and finds those near to a question. */
export function createEmbeddingService(deps: EmbeddingDependencies) {
  const { embedder, vectors, index, clock = systemClock, log } = deps;
  const previous = createPreviousModels(deps.openEmbedder);
  /** The models of which people have vectors, as they were last seen. */
  const known = new Map<string, Promise<StoredModel[]>>();
  const questions = new LRUCache<string, Float32Array>({ max: REMEMBERED_QUESTIONS });

  function modelsOf(userId: string): Promise<StoredModel[]> {
    const models = known.get(userId) ?? vectors.models(userId);
    known.set(userId, models);
    models.catch(() => known.delete(userId));
    return models;
  }

  const work = createEmbeddingWork({
    ...deps,
    clock,
    async onComplete(userId, model) {
      const models = await vectors.models(userId);
      const isNew = !models.some(({ key, complete }) => key === model.key && complete);
      if (isNew) await vectors.complete(userId, model);
      const old = models.filter(({ key }) => key !== model.key);
      for (const { key } of old) await vectors.removeModel(userId, key);
      if (isNew || old.length > 0) known.delete(userId);
    },
    // Everybody has the vectors of the new model.
    onIdle: previous.close,
  });

  /** The embedder whose vectors answer a person: the current one's, or an earlier one's until then. */
  async function choose(userId: string) {
    const current = embedder?.model() ?? null;
    const complete = (await modelsOf(userId)).filter((model) => model.complete);
    const own = complete.find(({ key }) => key === current?.key);
    if (embedder && own) return { embedder, model: own };
    for (const model of complete) {
      if (model.setting === embedder?.setting) continue;
      const earlier = previous.embedderOf(model);
      if (earlier) return { embedder: earlier, model };
    }
    return null;
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

  let failures = 0;
  let pauseEnds = 0;

  /** Nobody waits again and again for what failed more than once just now. */
  function failed(): void {
    failures += 1;
    if (failures < FAILURES_UNTIL_PAUSE) return;
    const doublings = failures - FAILURES_UNTIL_PAUSE;
    pauseEnds = clock.now() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
  }

  async function search(
    userId: string,
    { question, limit, limits, done }: NearestRequest,
    signal: AbortSignal,
  ): Promise<NearChunk[]> {
    const chosen = await choose(userId);
    if (!chosen) return [];
    const vector = await vectorOf(chosen, question, signal);
    done('embed');
    if (!vector) return [];
    const found = await vectors
      .nearest(userId, chosen.model, { vector, limit, ...limits })
      .catch(async (error: unknown) => {
        await vectors.doubt(userId, chosen.model);
        work.look(userId);
        throw error;
      });
    signal.throwIfAborted();
    failures = 0;
    done('vectors');
    return found;
  }

  let looking: Promise<void> = Promise.resolve();

  /** Looks what is missing of some people, or is left over. */
  function lookAt(people: () => Promise<string[]>): void {
    looking = (async () => {
      for (const userId of await people()) work.look(userId);
    })().catch((error: unknown) => {
      log.warn({ err: error }, 'it is not known whose vectors are missing');
    });
  }

  return {
    /** Begins to bring the model here; with it comes the rest. */
    start(): void {
      embedder?.start();
      lookAt(async () => {
        const people = await vectors.users();
        // So that an earlier model is there by the first question.
        if (embedder) for (const userId of people) await choose(userId);
        return people;
      });
    },

    /** To be called when the embedder's model became usable. */
    modelIsReady(): void {
      work.modelIsReady();
      lookAt(async () => [...new Set([...(await deps.owners()), ...(await vectors.users())])]);
    },

    /** To be called whenever a file was added, read, archived or deleted. */
    changed(userId: string): void {
      if (embedder) work.look(userId);
    },

    /** Removes what is kept of files: from now on it is in no answer, and its bytes go soon. */
    async forget(userId: string, artifactIds: readonly string[]): Promise<void> {
      if ((await vectors.models(userId)).length === 0) return;
      await vectors.remove(userId, artifactIds);
      known.delete(userId);
      work.look(userId);
    },

    /** Removes all that is kept of a person. */
    async forgetUser(userId: string): Promise<void> {
      work.drop(userId);
      await vectors.removeUser(userId);
      known.delete(userId);
    },

    /** People of whom vectors are kept. */
    users: vectors.users,

    /**
     * The chunks nearest to a question, best first. None where there is no model, or where it takes
     * too long or fails: then words alone have to do.
     */
    async nearest(userId: string, request: NearestRequest): Promise<NearChunk[]> {
      if (!embedder || clock.now() < pauseEnds) return [];
      const late = new AbortController();
      const given = Promise.withResolvers<NearChunk[]>();
      const timer = clock.setTimeout(() => {
        late.abort();
        failed();
        given.resolve([]);
      }, deps.timeLimitMs);
      search(userId, request, late.signal)
        .catch((error: unknown) => {
          if (late.signal.aborted) return [];
          failed();
          log.warn({ err: error }, 'a question was answered by words alone');
          return [];
        })
        .then(given.resolve, given.reject);
      try {
        return await given.promise;
      } finally {
        clock.clearTimeout(timer);
      }
    },

    /**
     * Joins what words found with what meaning found: similarities to the former, and behind them the
     * chunks that words did not find, with a score of 0. A vector of a text that a chunk does not have
     * any more is passed over.
     */
    async join(
      userId: string,
      hits: readonly FoundPassage[],
      near: readonly NearChunk[],
    ): Promise<JoinedPassage[]> {
      if (near.length === 0) return [...hits];
      const nameOf = (chunk: { artifactId: string; ordinal: number }) =>
        `${chunk.artifactId}:${chunk.ordinal}`;
      const byName = new Map(near.map((chunk) => [nameOf(chunk), chunk]));
      const foundByWords = new Set(hits.map(({ row }) => nameOf(row)));
      const missing = near.filter((chunk) => !foundByWords.has(nameOf(chunk)));
      const rows = missing.length > 0 ? await index.rowsAt(userId, missing) : [];
      const similarTo = (row: FoundPassage['row']): { similarity?: number } => {
        const chunk = byName.get(nameOf(row));
        return chunk?.digest === chunkDigest(row) ? { similarity: chunk.similarity } : {};
      };
      const others = rows.flatMap((row) => {
        const similar = similarTo(row);
        return similar.similarity === undefined ? [] : [{ row, score: 0, ...similar }];
      });
      return [...hits.map((hit) => ({ ...hit, ...similarTo(hit.row) })), ...others];
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
      await vectors.close();
    },
  };
}

export type EmbeddingService = ReturnType<typeof createEmbeddingService>;
