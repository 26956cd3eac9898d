import { createHash } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import type { EmbeddingDriver, EmbeddingKind } from './embedding-driver.ts';
import { HubError } from '../hub/fetch-model.ts';
import { createEmbedderSource, type EmbedderSettings } from './model-source.ts';
import { createModelLifecycle, type ModelOptions, sourceDependencies } from './model-lifecycle.ts';
import { ModelUnavailable } from '../model-unavailable.ts';

export type { EmbedderSettings } from './model-source.ts';

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

/** @throws ModelUnavailable if the model's vectors cannot be stored */
function assertDimensions({ dimensions }: EmbeddingDriver): void {
  if (dimensions >= 1 && dimensions <= MOST_DIMENSIONS) return;
  throw new ModelUnavailable('malformed', `Vectors of ${dimensions} numbers cannot be kept.`);
}

/** The model that finds passages by their meaning; null if none is configured. */
export function createEmbedder(settings: EmbedderSettings, options: ModelOptions): Embedder | null {
  const { clock = systemClock } = options;
  const source = createEmbedderSource(settings, sourceDependencies(options, clock));
  if (source === null) return null;
  const { name, setting } = source;
  const lifecycle = createModelLifecycle({
    ...options,
    source,
    clock,
    readyMessage: `Passages are found by their meaning too: ${name} is ready.`,
    check: assertDimensions,
    // `auto` on a machine without a network needs no attention.
    isExpected: (error) => settings.embeddings === 'auto' && error instanceof HubError,
  });

  return {
    setting,
    start: lifecycle.start,
    model() {
      const driver = lifecycle.driver();
      if (driver === null) return null;
      return { key: keyOf(setting, driver.identity), dimensions: driver.dimensions, setting };
    },
    describe() {
      const trouble = lifecycle.trouble();
      if (lifecycle.driver()) {
        const words = `Passages are found by their words and by their meaning, with ${name}.`;
        return { on: true, detail: trouble ? `${words} It failed just now: ${trouble}` : words };
      }
      return {
        on: false,
        detail: `${lifecycle.progress()} Until then passages are found by their words.`,
      };
    },
    async embed(texts, kind, signal) {
      const driver = lifecycle.driver();
      if (driver === null) {
        const why = lifecycle.trouble() ?? 'The embedding model is not there yet.';
        throw new ModelUnavailable('down', why);
      }
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += driver.limits.texts) {
        signal.throwIfAborted();
        const batch = texts.slice(at, at + driver.limits.texts);
        const readable = batch.map((text) => cut(text, driver.limits.characters));
        const made = await lifecycle.call(driver, signal, async (limited) => {
          const found = await driver.embed(readable, kind, limited);
          return readable.map((_, index) => scaled(found[index], driver.dimensions));
        });
        vectors.push(...made);
      }
      return vectors;
    },
    settled: lifecycle.settled,
    close: lifecycle.close,
  };
}
