import type { LibraryDocument, QuestionDraft, Section } from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import { createReranker } from '../../platform/ai/encoders/reranker.ts';
import {
  type AnalysisThreadsOptions,
  createAnalysisThreads,
  unlessTooLong,
} from './analysis/analysis-threads.ts';
import { createQuestionSearch, createRetrieval, type ScopeOf } from './question-search.ts';
import { createReranking } from './reranking.ts';
import { createSearchService, type SearchServices } from './search.service.ts';
import { createTranscriptionService } from './transcription.service.ts';

interface SearchOptions {
  analysis: Omit<AnalysisThreadsOptions, 'log'> | undefined;
  rerankMs?: number | undefined;
}

/** Searches and answers questions. Analysis runs in worker threads. */
export async function createSearch(core: Core, services: SearchServices, options: SearchOptions) {
  const { log, storage } = core;
  const { keywords, subscription, ingestion } = services;
  const analysis = createAnalysisThreads({ log, ...options.analysis });
  const scopeOf: ScopeOf = async (userId, { keywords: names, artifactIds }) =>
    storage.library.scope(userId, {
      keywords: await keywords.withUserSpelling(userId, names),
      artifactIds,
    });
  const retrieval = createRetrieval(storage, scopeOf);
  const { yieldToRequests } = storage.backgroundYield;
  const reranking = createReranking({
    reranker: createReranker(core.config, { log, yieldToRequests }),
    log,
    timeLimitMs: options.rerankMs ?? 300,
  });
  const questions = createQuestionSearch(core, retrieval, reranking);
  // Checking dozens of recommended questions would delay users' questions in the reranker.
  const withoutReranker = createQuestionSearch(core, retrieval, null);

  return {
    analysis,
    reranking,
    service: createSearchService(core, services, questions, scopeOf, analysis),
    transcription: await createTranscriptionService(core, {
      transcribeFile: ingestion.transcribe,
      assertMayAsk: subscription.assertMayAsk,
    }),
    /** Drafts and checks recommended questions. Those that take too long are dropped. */
    recommendations: {
      draft: (userId: string, files: readonly LibraryDocument[]): Promise<QuestionDraft[]> =>
        analysis.forQuestion(userId)('draft', files).catch(unlessTooLong([])),
      ask: (userId: string, question: string): Promise<Section[]> =>
        withoutReranker
          .sectionsFor({ userId, runAnalysis: analysis.forQuestion(userId) }, question)
          .catch(unlessTooLong([])),
    },
  };
}
