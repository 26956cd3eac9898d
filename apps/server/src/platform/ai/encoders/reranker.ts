import { systemClock } from '../../clock.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import { createRerankerSource, type RerankerSettings } from './model-source.ts';
import { createModelLifecycle, type ModelOptions, sourceDependencies } from './model-lifecycle.ts';

export type { RerankerSettings } from './model-source.ts';

/** A cross-encoder: reads a question and a passage together and scores how well they match. */
export interface Reranker {
  /** Begins to load the model, and fetches it first if it is not on this machine. */
  start(): void;
  /** Whether the model can be called. */
  isReady(): boolean;
  /** What is used, how far it is, or why it cannot be used. */
  describe(): { on: boolean; detail: string };
  /**
   * The logit of each passage, in their order; greater is better.
   * @throws ModelUnavailable; the signal's reason once it is aborted
   */
  score(question: string, passages: readonly string[], signal: AbortSignal): Promise<number[]>;
  /** Settles when an attempt to load the model that is under way has ended. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** UTF-16 units that are read of a question and of a passage. */
const MAX_QUESTION = 1000;
const MAX_PASSAGE = 3000;

const cut = (text: string, units: number): string => text.slice(0, units).toWellFormed();

/** The cross-encoder that orders the best passages; null if none is configured. */
export function createReranker(settings: RerankerSettings, options: ModelOptions): Reranker | null {
  const { clock = systemClock } = options;
  const source = createRerankerSource(settings, sourceDependencies(options, clock));
  if (source === null) return null;
  const { name } = source;
  const lifecycle = createModelLifecycle({
    ...options,
    source,
    clock,
    readyMessage: `The best passages are reranked: ${name} is ready.`,
  });
  return {
    start: lifecycle.start,
    isReady: () => lifecycle.driver() !== null,
    describe() {
      const trouble = lifecycle.trouble();
      if (lifecycle.driver()) {
        const words = `The best passages are reranked with ${name}.`;
        return { on: true, detail: trouble ? `${words} It failed just now: ${trouble}` : words };
      }
      return { on: false, detail: `${lifecycle.progress()} Until then nothing is reranked.` };
    },
    async score(question, passages, signal) {
      const driver = lifecycle.driver();
      if (driver === null) throw new ModelUnavailable('down', lifecycle.progress());
      const asked = cut(question, MAX_QUESTION);
      const inputs = passages.map((text) => ({ question: asked, passage: cut(text, MAX_PASSAGE) }));
      return lifecycle.call(driver, signal, async (limited) => {
        const scores = (await driver.run(inputs, limited)).map(([score = Number.NaN]) => score);
        if (scores.every(Number.isFinite)) return scores;
        throw new ModelUnavailable('malformed', 'The model gave scores that are not numbers.');
      });
    },
    settled: lifecycle.settled,
    close: lifecycle.close,
  };
}
