import { createHash } from 'node:crypto';
import type { UnembeddedRow, VectorModel } from '../../index/search-index.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type { EmbeddingKind } from './encoder-driver.ts';
import { createEncoderModel, type EncoderOptions } from './encoder-model.ts';
import type { EncoderSettings } from './model-source.ts';

export interface EmbedderSettings extends EncoderSettings {
  /** auto | none | local:MODEL-or-FOLDER | openai:MODEL | ollama:MODEL */
  embeddings: string;
}

/**
 * The text to embed for a chunk. File name and headings help because a paragraph often does not name its
 * subject (measured on abstracts with titles: nDCG@10 .50 instead of .44).
 */
export function embeddedText(
  { text, headings }: Pick<UnembeddedRow, 'text' | 'headings'>,
  fileName: string,
): string {
  const name = fileName.replace(/\.[A-Za-z0-9]{1,5}$/u, '');
  return [name, headings.join(' › '), text].filter(Boolean).join('\n');
}

const keyOf = (setting: string, identity: string): string => {
  const words = setting.toLowerCase().match(/[a-z0-9]+/gu) ?? [];
  const name = words.slice(-6).join('-').slice(-40).replace(/^-/u, '');
  return `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 12)}`;
};

/** The vector with length 1. @throws ModelUnavailable for an invalid vector */
function scaled(vector: Float32Array | undefined, dimensions: number): Float32Array {
  let squares = 0;
  for (const value of vector ?? []) squares += value * value;
  if (vector?.length !== dimensions || !Number.isFinite(squares)) {
    throw new ModelUnavailable('malformed', 'The model sent invalid vectors.');
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}

export function createEmbedder(settings: EmbedderSettings, options: EncoderOptions) {
  const use = {
    task: 'embed',
    setting: settings.embeddings,
    ready: 'Passages are also found by meaning',
    used: 'Passages are found by words and by meaning,',
    fallback: 'Until then passages are found by words only.',
  } as const;
  const encoder = createEncoderModel(use, settings, options);
  if (encoder === null) return null;
  const { call, driver, ...shared } = encoder;

  return {
    ...shared,

    /** The model, whose key covers everything that affects its vectors, and the setting that opens it again. */
    model(): VectorModel | null {
      const opened = driver();
      if (opened === null) return null;
      const { setting } = shared;
      return { key: keyOf(setting, opened.identity), dimensions: opened.dimensions, setting };
    },

    /** The vectors of texts, of length 1. @throws ModelUnavailable, or the signal's reason */
    async embed(texts: readonly string[], kind: EmbeddingKind, signal: AbortSignal) {
      const vectors: Float32Array[] = [];
      while (vectors.length < texts.length) {
        signal.throwIfAborted();
        const batchVectors = await call(signal, async ({ limits, dimensions, run }, limited) => {
          const batch = texts.slice(vectors.length, vectors.length + limits.inputs);
          const inputs = batch.map((text) => ({
            text: text.slice(0, limits.characters).toWellFormed(),
            kind,
          }));
          const outputs = await run(inputs, limited);
          return inputs.map((_, index) => scaled(outputs[index], dimensions));
        });
        vectors.push(...batchVectors);
      }
      return vectors;
    },
  };
}

export type Embedder = NonNullable<ReturnType<typeof createEmbedder>>;
