import type { FastifyBaseLogger } from 'fastify';
import type { Embedder } from '../../platform/ai/embedding/embedder.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import type { Clock } from '../../platform/ai/clock.ts';
import type { IndexRow, SearchIndex } from '../../platform/index/search-index.ts';
import type { ChunkVector } from '../../platform/vectors/vector-store.ts';
import { chunkDigest, embeddedText } from './embedded-text.ts';
import {
  type Plan,
  planFor,
  type PlanningDependencies,
  type ReadableFile,
} from './embedding-plan.ts';

export interface EmbeddingWorkDependencies extends PlanningDependencies {
  embedder: Embedder | null;
  index: Pick<SearchIndex, 'stats' | 'rows'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock: Clock;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack: (patienceMs: number) => Promise<void>;
  /** Called when a person's vectors of a model are all there. */
  onComplete: (userId: string, model: Plan['model']) => Promise<void>;
  /** Called when nothing is left to do for anybody. */
  onIdle: () => Promise<void>;
}

/** Chunks that are written together, and that one person gets before it is another's turn. */
const CHUNKS_OF_A_TURN = 64;
/** Chunks between two looks whether somebody waits for an answer. */
const CHUNKS_OF_A_STEP = 4;
const PATIENCE_MS = 1000;
/** After a failure of the model, in milliseconds; doubles up to the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Files that fail one after the other until the fault is the model's and not theirs. */
const FAILURES_IN_A_ROW = 3;

/** What is wrong with a text, and not with the model. */
const isOfTheText = (error: unknown): boolean =>
  error instanceof ModelUnavailable && (error.reason === 'refused' || error.reason === 'malformed');

/**
 * Makes the vectors that are missing, in the background: person by person in turns, the newest file
 * first. What there is to do is found by comparing, so that it goes on after a kill.
 */
export function createEmbeddingWork(deps: EmbeddingWorkDependencies) {
  const { embedder, vectors, index, log, clock, stepBack } = deps;
  /** People in the order of their turns; null where it has to be looked what is left to do. */
  const queue = new Map<string, Plan | null>();
  /** Readings that the model could not do; they are tried again by the next process. */
  const hopeless = new Set<string>();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let timer: unknown;
  let waits = 0;
  let failures: string[] = [];

  const nameOf = ({ id, revision }: ReadableFile): string => `${id}:${revision}`;

  async function vectorsOf(file: ReadableFile, rows: readonly IndexRow[]): Promise<ChunkVector[]> {
    const made: ChunkVector[] = [];
    for (let at = 0; at < rows.length; at += CHUNKS_OF_A_STEP) {
      await stepBack(PATIENCE_MS);
      const step = rows.slice(at, at + CHUNKS_OF_A_STEP);
      const texts = step.map((row) => embeddedText(row, file.fileName));
      const found = (await embedder?.embed(texts, 'passage', closing.signal)) ?? [];
      for (const [position, { ordinal, start, end, ...row }] of step.entries()) {
        const vector = found[position];
        if (vector) made.push({ ordinal, start, end, digest: chunkDigest(row), vector });
      }
    }
    return made;
  }

  /** Does the next chunks of one file; answers how many. */
  async function embedNext(userId: string, plan: Plan, most: number): Promise<number> {
    const [file] = plan.missing;
    if (!file) return 0;
    const { id: artifactId, revision } = file;
    const rows = (await index.rows(userId, artifactId)).filter(({ text }) => text !== '');
    const held = plan.held.get(artifactId);
    const goesOn = held?.revision === revision && held.of === rows.length;
    const from = goesOn ? held.rows : 0;
    const next = await vectorsOf(file, rows.slice(from, from + most));
    // Whose person went meanwhile is not kept again.
    if (!queue.has(userId)) return 0;
    const part = { artifactId, revision, of: rows.length, rows: next };
    await vectors.add(userId, plan.model, [part], held && !goesOn ? [artifactId] : []);
    plan.held.set(artifactId, { revision, of: rows.length, rows: from + next.length });
    plan.done += next.length;
    if (from + next.length >= rows.length) plan.missing.shift();
    return next.length;
  }

  /** Gives a person a turn; answers whether all is done. */
  async function turn(userId: string, plan: Plan): Promise<boolean> {
    for (let left = CHUNKS_OF_A_TURN; left > 0 && plan.missing.length > 0;) {
      if (!queue.has(userId)) return false;
      const [file] = plan.missing;
      if (file && hopeless.has(nameOf(file))) {
        plan.missing.shift();
        continue;
      }
      try {
        left -= Math.max(1, await embedNext(userId, plan, left));
        failures = [];
      } catch (error) {
        if (!file || !isOfTheText(error)) throw error;
        failures.push(nameOf(file));
        hopeless.add(nameOf(file));
        if (failures.length < FAILURES_IN_A_ROW) {
          log.warn({ err: error, artifactId: file.id }, 'a file got no vectors');
          continue;
        }
        for (const name of failures.splice(0)) hopeless.delete(name);
        throw error;
      }
    }
    return plan.missing.length === 0;
  }

  /** What is left to do for a person; null where there is no model to do it with. */
  async function currentPlan(userId: string, plan: Plan | null): Promise<Plan | null> {
    const model = embedder?.model();
    if (!model) return null;
    if (plan?.model.key === model.key) return plan;
    let held: Plan['held'] = new Map();
    try {
      held = await vectors.held(userId, model);
    } catch (error) {
      // All of a table that cannot be read can be made again.
      log.warn({ err: error, userId }, 'vectors could not be read and are made anew');
      await vectors.removeModel(userId, model.key);
    }
    return planFor(deps, userId, { model, held });
  }

  async function visit(userId: string, known: Plan | null): Promise<void> {
    // First: the bytes of a deleted file wait for no model.
    if (known === null) await vectors.purge(userId);
    const plan = await currentPlan(userId, known);
    if (queue.get(userId) === known) queue.set(userId, plan);
    const finished = !plan || (await turn(userId, plan));
    // Somebody may have changed files meanwhile.
    if (queue.get(userId) !== plan) return;
    queue.delete(userId);
    if (!finished) queue.set(userId, plan);
    if (!finished) return;
    if (plan) await deps.onComplete(userId, plan.model);
    await stepBack(PATIENCE_MS);
    await vectors.tidy(userId);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const [next] = queue;
      if (!next) return embedder?.model() ? deps.onIdle() : undefined;
      const [userId, plan] = next;
      try {
        await visit(userId, plan);
        waits = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        const known = error instanceof ModelUnavailable;
        if (!known) log.warn({ err: error, userId }, 'vectors could not be made');
        // It is looked anew what is missing, after another's turn.
        queue.delete(userId);
        queue.set(userId, null);
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
      queue.set(userId, null);
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
      const plans = [...queue.values()].filter((plan) => plan !== null);
      const open = plans.filter(({ missing }) => missing.length > 0);
      if (open.length === 0) return null;
      const sum = (pick: (plan: Plan) => number) => open.reduce((all, plan) => all + pick(plan), 0);
      return { done: sum(({ done }) => done), total: sum(({ total }) => total) };
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
