import type { FastifyBaseLogger } from 'fastify';
import type { Embedder } from '../../platform/ai/embedding/embedder.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import type { Clock } from '../../platform/clock.ts';
import type {
  RowVector,
  SearchIndex,
  UnembeddedRow,
  VectorModel,
} from '../../platform/index/search-index.ts';
import { embeddedText } from './embedded-text.ts';

export type EmbeddedIndex = Pick<
  SearchIndex,
  'unembedded' | 'addVectors' | 'models' | 'completeModel'
>;

export interface EmbeddingWorkDependencies {
  embedder: Embedder | null;
  index: EmbeddedIndex;
  /** The names of files by their ids. */
  fileNames: (ids: readonly string[]) => Promise<Map<string, string>>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock: Clock;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack: (patienceMs: number) => Promise<void>;
  /** Called when nothing is left to do for anybody. */
  onIdle: () => Promise<void>;
}

/** Chunks that one person gets before it is another's turn. */
const CHUNKS_OF_A_TURN = 64;
/** Chunks between two looks whether somebody waits for an answer. */
const CHUNKS_OF_A_STEP = 4;
const PATIENCE_MS = 1000;
/** After a failure of the model, in milliseconds; doubles up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Files that fail one after the other until the fault is the model's and not theirs. */
const FAILURES_IN_A_ROW = 3;

/** Chunks of a person with and without a vector. */
interface Counts {
  embedded: number;
  missing: number;
}

/** What is wrong with a text, and not with the model. */
const isOfTheText = (error: unknown): boolean =>
  error instanceof ModelUnavailable && (error.reason === 'refused' || error.reason === 'malformed');

/** Chunks of one file in steps; a step never holds those of two. */
function* stepsOf(rows: readonly UnembeddedRow[]): Generator<UnembeddedRow[]> {
  for (const own of Map.groupBy(rows, ({ artifactId }) => artifactId).values()) {
    for (let at = 0; at < own.length; at += CHUNKS_OF_A_STEP) {
      yield own.slice(at, at + CHUNKS_OF_A_STEP);
    }
  }
}

/**
 * Makes the vectors that are missing, in the background: person by person in turns, the newest file
 * first. The index says which chunks have none, so that it goes on after a kill.
 */
export function createEmbeddingWork(deps: EmbeddingWorkDependencies) {
  const { embedder, index, log, clock, stepBack } = deps;
  /** People in the order of their turns, with their chunks as they were last counted. */
  const queue = new Map<string, Counts>();
  /** Files that the model could not do; they are tried again by the next process. */
  let hopeless: ReadonlySet<string> = new Set();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let timer: unknown;
  let waits = 0;
  let failures: string[] = [];

  async function embed(rows: readonly UnembeddedRow[]): Promise<RowVector[]> {
    const names = await deps.fileNames(rows.map(({ artifactId }) => artifactId));
    const texts = rows.map((row) => embeddedText(row, names.get(row.artifactId) ?? ''));
    const vectors = (await embedder?.embed(texts, 'passage', closing.signal)) ?? [];
    return rows.flatMap(({ key }, at) => {
      const vector = vectors[at];
      return vector ? [{ key, vector }] : [];
    });
  }

  /** Notes that a file cannot be done; throws where it seems to be the model's fault. */
  function giveUp(artifactId: string, error: unknown): void {
    failures.push(artifactId);
    if (failures.length < FAILURES_IN_A_ROW) {
      hopeless = new Set([...hopeless, artifactId]);
      log.warn({ err: error, artifactId }, 'a file got no vectors');
      return;
    }
    const innocent = new Set(failures.splice(0));
    hopeless = hopeless.difference(innocent);
    throw error;
  }

  /** Gives a person a turn; answers whether all is done. */
  async function turn(userId: string, model: VectorModel, counts: Counts): Promise<boolean> {
    const request = { limit: CHUNKS_OF_A_TURN, exclude: hopeless };
    const { rows, ...counted } = await index.unembedded(userId, model, request);
    Object.assign(counts, counted);
    for (const step of stepsOf(rows)) {
      const artifactId = step[0]?.artifactId ?? '';
      if (hopeless.has(artifactId)) continue;
      await stepBack(PATIENCE_MS);
      try {
        const vectors = await embed(step);
        // Whose person went meanwhile is not kept again.
        if (!queue.has(userId)) return true;
        await index.addVectors(userId, model, vectors);
        failures = [];
      } catch (error) {
        if (!isOfTheText(error)) throw error;
        giveUp(artifactId, error);
      }
    }
    return rows.length === 0;
  }

  /** From now on a model answers, if it does not yet; what there is of others goes. */
  async function complete(userId: string, model: VectorModel): Promise<void> {
    const models = await index.models(userId);
    const isSettled = models.length === 1 && models[0]?.key === model.key && models[0].complete;
    if (!isSettled) await index.completeModel(userId, model);
  }

  async function visit(userId: string): Promise<void> {
    const model = embedder?.model();
    // At the end of the line; whoever changes a file meanwhile puts other counts in their place.
    const counts: Counts = { embedded: 0, missing: 0, ...queue.get(userId) };
    queue.delete(userId);
    queue.set(userId, counts);
    const finished = !model || (await turn(userId, model, counts));
    if (!finished || queue.get(userId) !== counts) return;
    queue.delete(userId);
    if (model) await complete(userId, model);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const [next] = queue.keys();
      if (next === undefined) return embedder?.model() ? deps.onIdle() : undefined;
      try {
        await visit(next);
        waits = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        const known = error instanceof ModelUnavailable;
        if (!known) log.warn({ err: error, userId: next }, 'vectors could not be made');
        return later();
      }
    }
  }

  function later(): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits);
    waits += 1;
    timer = clock.setTimeout(() => {
      timer = undefined;
      wake();
    }, wait);
  }

  function wake(): void {
    if (closing.signal.aborted || timer !== undefined) return;
    running ??= run().finally(() => {
      running = null;
      if (queue.size > 0 && timer === undefined) wake();
    });
  }

  return {
    /** Looks what is missing of a person, soon. */
    look(userId: string): void {
      queue.set(userId, { embedded: 0, missing: 0, ...queue.get(userId) });
      wake();
    },

    /** Does nothing more for a person. */
    drop(userId: string): void {
      queue.delete(userId);
    },

    /** Looks again at everybody who waits: the model is there. */
    modelIsReady(): void {
      clock.clearTimeout(timer);
      timer = undefined;
      waits = 0;
      wake();
    },

    /** Chunks with and without vectors of those who wait; null when nobody does. */
    progress(): { done: number; total: number } | null {
      const open = [...queue.values()].filter(({ missing }) => missing > 0);
      if (open.length === 0) return null;
      const done = open.reduce((sum, { embedded }) => sum + embedded, 0);
      return { done, total: done + open.reduce((sum, { missing }) => sum + missing, 0) };
    },

    /** Settles when nothing is left to do, or has to wait. */
    async settled(): Promise<void> {
      await running;
      if (running) await this.settled();
    },

    async close(): Promise<void> {
      closing.abort();
      clock.clearTimeout(timer);
      await running;
    },
  };
}

export type EmbeddingWork = ReturnType<typeof createEmbeddingWork>;
