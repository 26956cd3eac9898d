import type { LibraryDocument, QuestionDraft, Section } from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import { createReranker } from '../../platform/ai/encoders/reranker.ts';
import type { Observability } from '../../platform/observability/open-observability.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { History } from '../history/history.module.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import {
  type AnalysisThreadsOptions,
  createAnalysisThreads,
  unlessTooLong,
} from './analysis/analysis-threads.ts';
import { createQuestionSearch, NOT_RERANKED } from './question-search.ts';
import { createReranking } from './reranking.ts';
import { createRetrieval, type ScopeOf } from './retrieval.ts';
import { createSearchService } from './search.service.ts';
import { createTranscriptionService } from './transcription.service.ts';

/** The parts of the server that questions need. */
interface Services {
  history: History;
  keywords: KeywordsService;
  subscription: SubscriptionService;
  ingestion: Ingestion;
  metrics: Observability['metrics'];
}

interface SearchOptions {
  /** The time limit and the program of the worker threads that analyse questions. */
  analysis: Omit<AnalysisThreadsOptions, 'log'> | undefined;
  /** How long a question waits for the reranker, in milliseconds. Default: 300. */
  rerankMs?: number | undefined;
}

/** Searches and answers questions. Analysis runs in worker threads. */
export async function createSearch(core: Core, services: Services, options: SearchOptions) {
  const { log } = core;
  const { library, backgroundYield } = core.storage;
  const { history, keywords, subscription, ingestion, metrics } = services;
  const analysis = createAnalysisThreads({ log, ...options.analysis });
  const scopeOf: ScopeOf = async (userId, { keywords: names, artifactIds }) =>
    library.scope(userId, { keywords: await keywords.spelled(userId, names), artifactIds });
  const retrieval = createRetrieval(core.storage, scopeOf);
  const { yieldToRequests } = backgroundYield;
  const reranking = createReranking({
    reranker: createReranker(core.config, { log, yieldToRequests }),
    log,
    timeLimitMs: options.rerankMs ?? 300,
  });
  // Recommended questions are checked by the dozen: a user's question would wait for the reranker.
  const withoutReranker = createQuestionSearch(core, { retrieval, reranking: NOT_RERANKED });

  return {
    analysis,
    reranking,
    service: createSearchService(core, {
      questions: createQuestionSearch(core, { retrieval, reranking }),
      scopeOf,
      analysis,
      history: history.service,
      notIndexedYet: ingestion.indexing.missing,
      unfinished: core.storage.readings.unfinished,
      async countQuery(userId) {
        await history.assertNotFull(userId);
        await subscription.countQuery(userId);
      },
      spokenAnswer: history.audio.spoken,
      onStage: metrics.stage,
    }),
    transcription: await createTranscriptionService(core, {
      hear: ingestion.transcribe,
      assertMayAsk: subscription.assertMayAsk,
    }),
    /** For recommended questions. One that takes too long is not recommended. */
    recommending: {
      draft: (userId: string, files: readonly LibraryDocument[]): Promise<QuestionDraft[]> =>
        analysis.forQuestion(userId)('draft', { files }).catch(unlessTooLong([])),
      ask: (userId: string, question: string): Promise<Section[]> =>
        withoutReranker
          .sectionsFor(userId, question, analysis.forQuestion(userId))
          .catch(unlessTooLong([])),
    },
  };
}
