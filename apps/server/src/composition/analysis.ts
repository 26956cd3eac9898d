import type { KeywordsService } from '../features/keywords/keywords.service.ts';
import { createFinding } from '../features/search/finding.ts';
import { createListing } from '../features/search/listing.ts';
import { createRetrieval, type ScopeOf } from '../features/search/retrieval.ts';
import {
  createAnalysisThreads,
  type AnalysisThreadsOptions,
  unlessTooLong,
} from '../features/search/analysis/analysis-threads.ts';
import { createQuestionAsker } from '../features/suggestions/question-asker.ts';
import type { RecommendationsDependencies } from '../features/suggestions/recommendations.service.ts';
import { createReranking } from '../features/search/reranking.ts';
import { createReranker } from '../platform/ai/encoders/reranker.ts';
import type { Core } from './core.ts';

/** The day at a moment in a time zone, as YYYY-MM-DD. */
const dayIn = (timeZone: string): ((moment: Date) => string) => {
  // Swedes write their dates so.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (moment) => format.format(moment);
};

interface Parts {
  spelledKeywords: KeywordsService['spelled'];
  options: Omit<AnalysisThreadsOptions, 'log'> | undefined;
  /** How long a question waits for the reranker, in milliseconds. */
  rerankMs: number;
}

/** Creates the parts that search, rank and list. Analysis runs in worker threads. */
export function createSearchParts(core: Core, { spelledKeywords, options, rerankMs }: Parts) {
  const { log, now } = core;
  const { timeZone } = core.config;
  const { library, index, embedding, backgroundYield } = core.storage;
  const analysis = createAnalysisThreads({ log, ...options });
  const scopeOf: ScopeOf = async (userId, { keywords, artifactIds }) =>
    library.scope(userId, { keywords: await spelledKeywords(userId, keywords), artifactIds });
  const retrieval = createRetrieval({ library, index, meaning: embedding, scopeOf });
  const reranking = createReranking({
    reranker: createReranker(core.config, {
      log,
      yieldToRequests: backgroundYield.yieldToRequests,
    }),
    log,
    timeLimitMs: rerankMs,
  });
  const parts = { library, retrieval, now, timeZone };
  const finding = createFinding({ ...parts, reranking });
  // Recommended questions are checked by the dozen: a user's question would wait for the reranker.
  const withoutReranker = createFinding({ ...parts, reranking: { logits: async () => null } });
  const asker = createQuestionAsker(withoutReranker, analysis);
  /** For recommended questions: one that takes too long is not recommended. */
  const asking: Pick<RecommendationsDependencies, 'draft' | 'ask'> = {
    draft: (userId, files) =>
      analysis.forQuestion(userId)('draft', { files }).catch(unlessTooLong([])),
    ask: (userId, question) => asker(userId, question).catch(unlessTooLong([])),
  };
  return {
    analysis,
    finding,
    reranking,
    evidenceFiles: { scopeOf },
    dayOf: dayIn(timeZone),
    listing: createListing({ library, scopeOf, timeZone }),
    asking,
  };
}
