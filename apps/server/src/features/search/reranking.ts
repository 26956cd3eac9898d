import { MAX_RERANKED, type RankedPassage } from '@engram/retrieval';
import type { FastifyBaseLogger } from 'fastify';
import type { Reranker } from '../../platform/ai/encoders/reranker.ts';
import { createTimeBudget } from '../../platform/ai/time-budget.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { embeddedText } from '../../platform/ai/encoders/embedder.ts';

const OFF = 'No reranker is set (ENGRAM_RERANKER), so passages stay in the order of the ranking.';

/** Scores the best passages of a question with a cross-encoder, if it is fast enough. */
export function createReranking({
  reranker,
  log,
  clock = systemClock,
  timeLimitMs,
}: {
  reranker: Reranker | null;
  log: Pick<FastifyBaseLogger, 'warn'>;
  clock?: Clock;
  timeLimitMs: number;
}) {
  const budget = createTimeBudget({
    clock,
    limitMs: timeLimitMs,
    onFailure: (error) => log.warn({ err: error }, 'a question was answered without reranking'),
  });

  return {
    start: (): void => reranker?.start(),

    /**
     * The logits of the first passages, in their order; null if there is no reranker, it fails, or it takes
     * too long.
     */
    async logits(question: string, ranked: readonly RankedPassage[]): Promise<number[] | null> {
      if (!reranker?.isReady() || ranked.length < 2) return null;
      const texts = ranked
        .slice(0, MAX_RERANKED)
        .map((passage) => embeddedText(passage, passage.fileName));
      return budget.run<number[] | null>(null, (signal) => reranker.score(question, texts, signal));
    },

    describe(): { on: boolean; detail: string } {
      const { on, detail } = reranker?.describe() ?? { on: false, detail: OFF };
      return on && budget.isLate()
        ? {
            on,
            detail: `${detail} The last question was answered without it, because it took longer than ${timeLimitMs} ms.`,
          }
        : { on, detail };
    },

    settled: async (): Promise<void> => reranker?.settled(),
    close: async (): Promise<void> => reranker?.close(),
  };
}

export type Reranking = ReturnType<typeof createReranking>;
