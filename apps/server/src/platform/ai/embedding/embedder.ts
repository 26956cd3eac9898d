import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import type { EmbeddingDriver, EmbeddingKind } from './embed-driver.ts';
import { HubError } from '../hub/fetch-model.ts';
import type { HubPin } from '../hub/kept-model.ts';
import { createModelSource, type EmbedderSettings, PINNED } from './embed-source.ts';
import { ModelUnavailable, toModelUnavailable } from '../model-unavailable.ts';

export type { EmbedderSettings } from './embed-source.ts';

/** A model for embeddings. Vectors of models with different keys never compare. */
export interface EmbeddingModel {
  /** Names the model and all that decides about its vectors: small letters, digits and hyphens. */
  key: string;
  dimensions: number;
  /** The setting that brings this very model back. */
  setting: string;
}

/** Turns texts into vectors whose cosines tell how alike their meanings are. */
export interface Embedder {
  /** The setting that brings this embedder back: of its models. */
  readonly setting: string;
  /** Begins to bring the model here: loads it, and fetches it first where that is wanted. */
  start(): void;
  /** The model, once it can be asked; null until then. */
  model(): EmbeddingModel | null;
  /** What is used, how far it is, or in a sentence why it cannot be. */
  describe(): { on: boolean; detail: string };
  /**
   * The vectors of texts, of length 1, in their order.
   * @throws ModelUnavailable; the signal's reason once that is aborted
   */
  embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
  /** Settles when a try to bring the model that is under way has ended, well or not. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface EmbedderOptions {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  clock?: Clock;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  stepBack?: (patienceMs: number) => Promise<void>;
  /** Called whenever the model becomes usable. */
  onReady?: () => void;
  /** Whether a model that is not on this machine may be fetched. Default: true. */
  mayFetch?: boolean;
  /** What is taken for models by their names. Default: what this version of Engram takes. */
  pinned?: ReadonlyMap<string, HubPin>;
}

/** One call to a model, in milliseconds. */
const CALL_MS = 60_000;
/** Before the second try to bring a model, in milliseconds; doubles up to the longest. */
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 30 * 60_000;

/** Numbers of one vector; the largest models that are in use have half as many. */
const MOST_DIMENSIONS = 8192;

const keyOf = (setting: string, identity: string): string => {
  const words = setting.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
  const name = words.slice(-6).join('-').slice(-40).replace(/^-/u, '');
  return `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 12)}`;
};

/** A length-1 vector. @throws ModelUnavailable for one that is none of the model's */
function scaled(vector: Float32Array | undefined, dimensions: number): Float32Array {
  let squares = 0;
  for (const value of vector ?? []) squares += value * value;
  if (vector?.length !== dimensions || !Number.isFinite(squares)) {
    throw new ModelUnavailable('malformed', 'The model sent vectors that make no sense.');
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}

/** The first units of a text, without half a character at the end. */
const cut = (text: string, units: number): string => text.slice(0, units).toWellFormed();

/** The model that finds passages by their meaning; null when none is wanted. */
export function createEmbedder(
  settings: EmbedderSettings,
  options: EmbedderOptions,
): Embedder | null {
  const { log, clock = systemClock, onReady } = options;
  const source = createModelSource(settings, {
    clock,
    stepBack: options.stepBack ?? (async () => undefined),
    mayFetch: options.mayFetch ?? true,
    pinned: options.pinned ?? PINNED,
  });
  if (source === null) return null;
  const { name, setting, open, progress } = source;

  const closing = new AbortController();
  let ready: { driver: EmbeddingDriver; model: EmbeddingModel } | null = null;
  /** Why there is no model now, or what its last call failed of. */
  let trouble: string | null = null;
  let underWay: Promise<void> | null = null;
  let retry: unknown;
  let failures = 0;

  async function bring(): Promise<void> {
    try {
      const driver = await open(closing.signal);
      const { dimensions, identity } = driver;
      if (dimensions < 1 || dimensions > MOST_DIMENSIONS) {
        await driver.close();
        throw new ModelUnavailable('malformed', `Vectors of ${dimensions} numbers cannot be kept.`);
      }
      ready = { driver, model: { key: keyOf(setting, identity), dimensions, setting } };
      trouble = null;
      failures = 0;
      log.info(`Passages are found by their meaning too: ${name} is ready.`);
      onReady?.();
    } catch (error) {
      if (closing.signal.aborted) return;
      const { message } = error as Error;
      if (failures === 0) {
        // A machine without a network is nothing that anybody has to see to.
        if (settings.embeddings === 'auto' && error instanceof HubError) log.info(message);
        else log.warn({ err: error }, message);
      }
      trouble = message;
      tryLater();
    } finally {
      underWay = null;
    }
  }

  function tryLater(): void {
    if (closing.signal.aborted) return;
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    failures += 1;
    clock.clearTimeout(retry);
    retry = clock.setTimeout(start, wait);
  }

  function start(): void {
    if (!closing.signal.aborted && ready === null) underWay ??= bring();
  }

  /** A driver that ended is opened anew, after a while. */
  async function giveUp(driver: EmbeddingDriver): Promise<void> {
    if (ready?.driver !== driver) return;
    ready = null;
    tryLater();
    await driver.close();
  }

  async function call(
    driver: EmbeddingDriver,
    texts: readonly string[],
    kind: EmbeddingKind,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const late = new AbortController();
    const timer = clock.setTimeout(
      () => late.abort(new ModelUnavailable('timeout', 'The embedding model took too long.')),
      CALL_MS,
    );
    try {
      const found = await driver.embed(texts, kind, AbortSignal.any([signal, late.signal]));
      const vectors = texts.map((_, index) => scaled(found[index], driver.dimensions));
      trouble = null;
      return vectors;
    } catch (error) {
      signal.throwIfAborted();
      const failure = toModelUnavailable(late.signal.aborted ? late.signal.reason : error);
      trouble = failure.message;
      if (!driver.usable) await giveUp(driver);
      throw failure;
    } finally {
      clock.clearTimeout(timer);
    }
  }

  return {
    setting,
    start,
    model: () => ready?.model ?? null,
    describe() {
      if (ready) {
        const words = `Passages are found by their words and by their meaning, with ${name}.`;
        return { on: true, detail: trouble ? `${words} It failed just now: ${trouble}` : words };
      }
      const state = underWay ? progress() : (trouble ?? `${name} is not loaded yet.`);
      return { on: false, detail: `${state} Until then passages are found by their words.` };
    },
    async embed(texts, kind, signal) {
      if (ready === null) {
        throw new ModelUnavailable('down', trouble ?? 'The embedding model is not there yet.');
      }
      const { driver } = ready;
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += driver.limits.texts) {
        signal.throwIfAborted();
        const batch = texts.slice(at, at + driver.limits.texts);
        const readable = batch.map((text) => cut(text, driver.limits.characters));
        vectors.push(...(await call(driver, readable, kind, signal)));
      }
      return vectors;
    },
    settled: async () => underWay ?? undefined,
    async close() {
      closing.abort();
      clock.clearTimeout(retry);
      await underWay;
      await ready?.driver.close();
      ready = null;
    },
  };
}
