import { ModelUnavailable } from '../model-unavailable.ts';
import { createEncoderModel, type EncoderOptions } from './encoder-model.ts';
import type { EncoderSettings } from './model-source.ts';

const MAX_QUESTION = 1000;
const MAX_PASSAGE = 3000;

const cut = (text: string, units: number): string => text.slice(0, units).toWellFormed();

/** A cross-encoder that scores passages for a question; null if none is set. */
export function createReranker(
  settings: EncoderSettings & { reranker: string },
  options: EncoderOptions,
) {
  const use = {
    task: 'rerank',
    setting: settings.reranker,
    ready: 'The best passages are reranked',
    used: 'The best passages are reranked',
    fallback: 'Until then passages are not reranked.',
  } as const;
  const encoder = createEncoderModel(use, settings, options);
  if (encoder === null) return null;
  const { call, driver, ...shared } = encoder;
  return {
    ...shared,

    isReady: (): boolean => driver() !== null,

    /** The logits of passages; higher is better. @throws ModelUnavailable */
    score(question: string, passages: readonly string[], signal: AbortSignal): Promise<number[]> {
      const shortQuestion = cut(question, MAX_QUESTION);
      const inputs = passages.map((text) => ({
        question: shortQuestion,
        passage: cut(text, MAX_PASSAGE),
      }));
      return call(signal, async ({ run }, limited) => {
        const scores = (await run(inputs, limited)).map(([score = Number.NaN]) => score);
        if (scores.every(Number.isFinite)) return scores;
        throw new ModelUnavailable('malformed', 'The model returned scores that are not numbers.');
      });
    },
  };
}

export type Reranker = Omit<NonNullable<ReturnType<typeof createReranker>>, 'setting'>;
