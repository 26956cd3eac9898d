import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../platform/ai/encoders/embedder.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import type { Clock } from '../../platform/clock.ts';
import type {
  RowVector,
  SearchIndex,
  UnembeddedRow,
  VectorModel,
} from '../../platform/index/search-index.ts';
import type { Job, Jobs } from '../../platform/jobs/jobs.ts';
import { embeddedText } from '../../platform/ai/encoders/embedded-text.ts';

export type EmbeddedIndex = Pick<
  SearchIndex,
  'unembedded' | 'addVectors' | 'models' | 'completeModel'
>;

export interface EmbeddingWorkDependencies {
  embedder: Embedder | null;
  index: EmbeddedIndex;
  jobs: Pick<Jobs, 'define' | 'enqueueAll' | 'counts'>;
  /** The names of files by their ids. */
  fileNames: (ids: readonly string[]) => Promise<Map<string, string>>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock: Clock;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
}

const QUEUE = 'embed-library';
/** A turn takes seconds; a model on a slow machine beside many questions may take minutes. */
const LONGEST_TURN_SECONDS = 1800;
/** Chunks that one person gets before it is another's turn. */
const CHUNKS_OF_A_TURN = 64;
/** Chunks between two looks whether somebody waits for an answer. */
const CHUNKS_OF_A_STEP = 4;
const PATIENCE_MS = 1000;
/** Changes within so many milliseconds are one row in the queue. */
const GATHERED_MS = 200;
/** Until changes are announced again that the database did not take. */
const ANNOUNCED_AGAIN_MS = 5000;
/** After a failure of the model, in milliseconds; doubles up to the longest. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Files that fail one after the other until the fault is the model's and not theirs. */
const FAILURES_IN_A_ROW = 3;
/** People of whom it is known how far they are, and for how long while another server goes on. */
const COUNTED = { max: 10_000, ttl: 2 * LONGEST_PAUSE_MS };
/** Between two looks whether the queue is empty. */
const LOOK_MS = 5;

/** Chunks of a person with and without a vector. */
interface Counts {
  embedded: number;
  missing: number;
}

/** Whose turn it is. */
interface Turn {
  userId: string;
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
 * Makes the vectors that are missing, in the background. A job is a person's turn, of which one can
 * wait and one can run on all servers together; the next one goes to the end of the line. The index
 * says which chunks have no vector, so that whoever takes up a killed server's turn goes on with it.
 */
export function createEmbeddingWork(deps: EmbeddingWorkDependencies) {
  const { embedder, index, jobs, log, clock, yieldToRequests } = deps;
  const counts = new LRUCache<string, Counts>(COUNTED);
  /** Files that the model could not do; they are tried again by the next process. */
  let hopeless: ReadonlySet<string> = new Set();
  let failures: string[] = [];
  let pauses = 0;
  let pauseEnds = 0;
  let changed = new Set<string>();
  let timer: unknown;

  /** Gives people a turn, one after the other; whoever waits for one already gets no second. */
  const enqueue = (userIds: readonly string[], afterMs?: number): Promise<void> =>
    jobs.enqueueAll<Turn>(
      QUEUE,
      userIds.map((userId) => ({ data: { userId }, key: userId })),
      afterMs === undefined ? {} : { startAfter: new Date(Date.now() + afterMs) },
    );

  /** Enqueues those whose files changed. */
  async function announce(): Promise<void> {
    clock.clearTimeout(timer);
    timer = undefined;
    const userIds = changed;
    changed = new Set();
    try {
      await enqueue([...userIds]);
    } catch (error) {
      log.warn({ err: error }, 'vectors that are missing could not be announced');
      changed = changed.union(userIds);
      announceIn(ANNOUNCED_AGAIN_MS);
    }
  }

  function announceIn(milliseconds: number): void {
    timer ??= clock.setTimeout(() => void announce(), milliseconds);
  }

  async function embed(rows: readonly UnembeddedRow[], signal: AbortSignal): Promise<RowVector[]> {
    const names = await deps.fileNames(rows.map(({ artifactId }) => artifactId));
    const texts = rows.map((row) => embeddedText(row, names.get(row.artifactId) ?? ''));
    const vectors = (await embedder?.embed(texts, 'passage', signal)) ?? [];
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

  /** Makes some of a person's vectors; answers whether all are there. */
  async function turn(userId: string, model: VectorModel, signal: AbortSignal): Promise<boolean> {
    const request = { limit: CHUNKS_OF_A_TURN, exclude: hopeless };
    const { rows, ...counted } = await index.unembedded(userId, model, request);
    counts.set(userId, counted);
    for (const step of stepsOf(rows)) {
      const artifactId = step[0]?.artifactId ?? '';
      if (hopeless.has(artifactId)) continue;
      await yieldToRequests(PATIENCE_MS);
      try {
        const vectors = await embed(step, signal);
        signal.throwIfAborted();
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

  async function run({ data: { userId }, signal }: Job<Turn>): Promise<void> {
    const model = embedder?.model();
    // A server that gets its model looks at everybody.
    if (!model) return;
    const pauseMs = pauseEnds - clock.now();
    if (pauseMs > 0) return enqueue([userId], pauseMs);
    try {
      const finished = await turn(userId, model, signal);
      pauses = 0;
      if (!finished) return await enqueue([userId]);
      counts.delete(userId);
      await complete(userId, model);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelUnavailable)) {
        log.warn({ err: error, userId }, 'vectors could not be made');
      }
      const nextPauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
      pauses += 1;
      pauseEnds = clock.now() + nextPauseMs;
      await enqueue([userId], nextPauseMs);
    }
  }

  return {
    /** Makes the queue known. */
    define: (): Promise<void> =>
      jobs.define<Turn>(QUEUE, {
        handler: run,
        concurrency: 1,
        timeoutSeconds: LONGEST_TURN_SECONDS,
        retryLimit: 5,
        retryDelaySeconds: 60,
        recurring: true,
      }),

    /** Looks what is missing of some people. */
    look: enqueue,

    /** Looks what is missing of a person whose files changed, soon. */
    changed(userId: string): void {
      changed.add(userId);
      announceIn(GATHERED_MS);
    },

    /** The model is there: no turn is put off any longer. Those that were come with the next look. */
    modelIsReady(): void {
      pauses = 0;
      pauseEnds = 0;
    },

    /** Chunks with and without vectors of those who wait; null when nobody does. */
    progress(): { done: number; total: number } | null {
      const open = [...counts.values()].filter(({ missing }) => missing > 0);
      if (open.length === 0) return null;
      const done = open.reduce((sum, { embedded }) => sum + embedded, 0);
      return { done, total: done + open.reduce((sum, { missing }) => sum + missing, 0) };
    },

    /** Settles when nothing is left to do, or has to wait for the model. */
    async settled(): Promise<void> {
      await announce();
      const isBusy = async (): Promise<boolean> =>
        (await jobs.counts()).some(
          ({ queue, state, count }) =>
            queue === QUEUE && count > 0 && (state === 'waiting' || state === 'running'),
        );
      while (await isBusy()) await wait(LOOK_MS);
    },

    /** Enqueues what changed last. */
    async close(): Promise<void> {
      if (changed.size > 0) await announce();
      clock.clearTimeout(timer);
    },
  };
}
