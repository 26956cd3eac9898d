import { findPassages, search, transcribe } from '@engram/contract';
import {
  type LibraryDocument,
  type QuestionDraft,
  scoreShare,
  type Section,
} from '@engram/retrieval';
import {
  disconnectSignal,
  openEventStream,
  wantsEvents,
} from '../../platform/http/event-stream.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { savesFileOf } from '../../platform/http/one-file.ts';
import { describeError } from '../../platform/http/server.ts';
import { createSearchService, type SearchServices } from './search.service.ts';
import { createTranscriptionService } from './transcription.service.ts';

import type { Core } from '../../composition/core.ts';
import { createReranker } from '../../platform/ai/encoders/reranker.ts';
import {
  type AnalysisThreadsOptions,
  createAnalysisThreads,
  unlessTooLong,
} from './analysis/analysis-threads.ts';
import { createQuestionSearch, createRetrieval, type ScopeOf } from './question-search.ts';
import { createReranking } from './reranking.ts';

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

  const service = createSearchService(core, services, questions, scopeOf, analysis);
  const transcription = await createTranscriptionService(core, {
    transcribeFile: ingestion.transcribe,
    assertMayAsk: subscription.assertMayAsk,
  });
  return {
    analysis,
    reranking,
    service,
    routes(mount: Mount): void {
      mount(search, async ({ caller, body, ip, request, reply }) => {
        const disconnected = disconnectSignal(reply);
        const asker = { ...caller, ip };
        if (!wantsEvents(request)) return { data: await service.ask(asker, body, disconnected) };
        const stream = openEventStream(reply);
        try {
          stream.send('done', await service.ask(asker, body, disconnected, stream.send));
        } catch (error) {
          // Before the first event, a plain error response is still possible.
          if (!stream.started) throw error;
          request.log.error({ err: error }, 'answering failed');
          const { message, code } = describeError(error);
          stream.send('error', { message, code });
        }
        return stream.end();
      });

      mount(findPassages, async ({ caller, body }) => {
        const passages = await service.find(caller.userId, body.text, body.keywords);
        return {
          data: passages.map(({ passage: { fileName, path, text, score }, ...best }) => ({
            ...best,
            fileName,
            path: path ?? null,
            text,
            score: Number(scoreShare(score).toFixed(3)),
          })),
        };
      });

      mount(transcribe, async ({ caller, request, reply }) => {
        const save = savesFileOf(request);
        const text = await transcription.transcribe(caller.userId, save, disconnectSignal(reply));
        return { data: { text } };
      });
    },
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
