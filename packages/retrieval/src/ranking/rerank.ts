import type { RankedPassage } from './rank.ts';

export const MAX_RERANKED = 30;

/**
 * Orders the best passages by a cross-encoder's logits (Nogueira and Cho, 'Passage Re-ranking with
 * BERT', 2019). The ranking's scores are assigned again in the new order.
 */
export function rerankPassages(
  ranked: readonly RankedPassage[],
  logits: readonly number[],
): RankedPassage[] {
  const reranked = logits
    .flatMap((logit, at) => {
      const passage = ranked[at];
      return passage ? [{ passage, logit }] : [];
    })
    .toSorted((a, b) => b.logit - a.logit)
    .map(({ passage, logit }, at) => ({
      ...passage,
      score: ranked[at]?.score ?? 0,
      scores: { ...passage.scores, reranker: 1 / (1 + Math.exp(-logit)) },
    }));
  return [...reranked, ...ranked.slice(reranked.length)];
}
