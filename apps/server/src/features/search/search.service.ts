import { randomUUID } from 'node:crypto';
import {
  FOUND_LIMIT,
  modeOf,
  type RelatedFile,
  type search,
  type SearchData,
} from '@engram/contract';
import {
  type EarlierTurn,
  mergePassages,
  type Question,
  type RankedPassage,
  unverifiedIn,
} from '@engram/retrieval';
import type { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Observability } from '../../platform/observability/open-observability.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import type { Owner } from '../artifacts/artifacts.presenter.ts';
import type { Narrowing } from '../artifacts/library.ts';
import type { History } from '../history/history.module.ts';
import type { StoredCitation, StoredSection } from '../history/history.tables.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { KeywordsService } from '../keywords/keywords.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import {
  type AnalysisThreads,
  type RunAnalysis,
  TOO_LONG,
  unlessTooLong,
} from './analysis/analysis-threads.ts';
import { quotable, type UnderstoodQuestion } from './analysis/tasks.ts';
import { listFiles } from './file-lists.ts';
import { awaitRecentUploads, notReadyNotice } from './recent-uploads.ts';
import { openEvidenceFiles } from './model/evidence-files.ts';
import { citedIn, foundAnswerOf, type Outcome, relatedFiles, unsearched } from './outcome.ts';
import type { QuestionSearch, ScopeOf } from './question-search.ts';
import { writeAnswer } from './written-answer.ts';

export interface SearchServices {
  history: History;
  keywords: KeywordsService;
  subscription: SubscriptionService;
  ingestion: Ingestion;
  metrics: Observability['metrics'];
}

type SearchRequest = z.input<typeof search.body>;

type Events = typeof search.events;

type Send = <Name extends keyof Events>(name: Name, data: z.input<Events[Name]>) => void;

interface Asker extends Owner {
  ip: string;
}

interface AnswerContext {
  id: string;
  asker: Asker;
  text: string;
  narrowing: Narrowing;
  /** The earlier questions and answers, oldest first. */
  conversation: EarlierTurn[];
  runAnalysis: RunAnalysis;
  signal: AbortSignal;
  send: Send;
  done: (stage: string) => void;
  /** Counts the question once. @throws HttpError 402 if the plan allows no further question */
  count: () => Promise<void>;
}

const NO_FILES =
  'There are no files to search yet. Upload files or add a note, and then ask again.';

const notSearched = (files: number): string =>
  files === 1
    ? 'One of your files is being reindexed and was not searched.'
    : `${files.toLocaleString('en-US')} of your files are being reindexed and were not searched.`;

function bestSentenceOf({ artifactId, start, text, sentences }: RankedPassage) {
  const best = sentences[0] ?? { start: 0, end: text.length };
  const quote = text.slice(best.start, best.end);
  const from = start + best.start;
  return { artifactId, quote, start: from, end: from + quote.length };
}

const termsOf = ({ terms }: Question): string[] => terms.map(({ surface }) => surface);

export function createSearchService(
  core: Core,
  { history, subscription, ingestion, metrics }: SearchServices,
  questions: QuestionSearch,
  scopeOf: ScopeOf,
  analysis: AnalysisThreads,
) {
  const { now } = core;
  const { library, extractions } = core.storage;
  const { model } = core.providers;
  const { timeZone } = core.config;
  // The Swedish format is YYYY-MM-DD.
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });

  async function countQuery(userId: string): Promise<void> {
    await history.assertNotFull(userId);
    await subscription.countQuery(userId);
  }

  /** Sends the found sections and files, and the citations known so far. */
  async function sendSources(
    { id, asker, send }: AnswerContext,
    similar: RelatedFile[],
    cited: readonly StoredCitation[],
    sections: readonly StoredSection[] = [],
  ): Promise<void> {
    const [[citations = []], [found = []]] = await Promise.all([
      library.withNames(asker.userId, [cited]),
      library.withNames(asker.userId, [sections]),
    ]);
    send('sources', { history_id: id, citations, found, similar_vectors: similar });
  }

  async function answerWithFiles(context: AnswerContext, question: Question): Promise<Outcome> {
    const { asker, narrowing, runAnalysis } = context;
    const { userId } = asker;
    const list = async () => {
      const scope = await scopeOf(userId, narrowing);
      return listFiles(core, userId, { question, scope, runAnalysis });
    };
    const [{ answer, related, files }] = await questions.inSlot(userId, () =>
      Promise.all([list(), context.count()]),
    );
    const similar = library.presentAll(asker, files, related);
    const cited = await citedIn(userId, answer, library.locate);
    await sendSources(context, similar, cited.citations);
    context.done('related');
    context.send('delta', { text: answer.markdown });
    return { ...unsearched(''), ...cited, answer, related, similar, terms: termsOf(question) };
  }

  async function answerFromFiles(context: AnswerContext, question: Question): Promise<Outcome> {
    const { asker, narrowing, runAnalysis, signal, send, done } = context;
    const { userId } = asker;
    const hasModel = Boolean(model?.describe().on);
    // The index searches while the database counts. Throws if the plan allows no further question.
    const [passages] = await questions.inSlot(userId, () =>
      Promise.all([
        questions.findSections({ userId, runAnalysis, question, narrowing, done }),
        context.count(),
      ]),
    );
    const { ranked, sections, files } = passages;
    const found = await foundAnswerOf(userId, passages, library.locate);
    const related = relatedFiles(ranked);
    const similar = library.presentAll(asker, files, related);
    // The citations of a model are sent after it has written the answer.
    await sendSources(context, similar, hasModel ? [] : found.cited.citations, found.sections);
    done('sources');
    const findMore = async (queries: readonly string[]): Promise<RankedPassage[]> =>
      mergePassages(
        await questions
          .passagesFor(queries, question, { userId, runAnalysis, narrowing })
          .catch(unlessTooLong([])),
      );
    const written = await writeAnswer(hasModel ? model : null, {
      userId,
      text: context.text,
      question,
      passages: quotable(ranked),
      sections,
      found: found.answer,
      earlier: context.conversation,
      evidenceFiles: openEvidenceFiles(library, scopeOf, { userId, question, narrowing }),
      today: days.format(now()),
      findMore,
      signal,
      onStep: (text) => send('step', { text }),
      onDelta: (text) => send('delta', { text }),
      done,
    });
    const { answer } = written;
    const cited =
      answer === found.answer ? found.cited : await citedIn(userId, answer, library.locate);
    if (hasModel) await sendSources(context, similar, cited.citations, found.sections);
    const recommendations = await runAnalysis(
      'recommend',
      question,
      ranked,
      answer.citations,
    ).catch(unlessTooLong([]));
    done('recommendations');
    return {
      ...written,
      ...cited,
      found: found.sections,
      scores: sections.map(({ scores }) => scores),
      recommendations,
      related,
      similar,
      terms: termsOf(question),
    };
  }

  /**
   * The limits of a question, without chosen files that were deleted.
   * @throws HttpError 404 if none of the chosen files exists or belongs to the user
   */
  async function narrowingOf(userId: string, { keywords = [], artifactIds = [] }: SearchRequest) {
    const existing = await library.answerable(userId, artifactIds);
    if (artifactIds.length > 0 && existing.size === 0) {
      throw new HttpError(404, 'artifact_not_found', 'The chosen files were deleted or archived.');
    }
    return { keywords, artifactIds: [...existing.keys()] };
  }

  /** Analyses a question. If there is a model, it rewrites a follow-up first. */
  async function understand(context: AnswerContext): Promise<UnderstoodQuestion> {
    const { asker, text, conversation, runAnalysis, signal, done } = context;
    const user = { userId: asker.userId, runAnalysis };
    const understood = await questions.understand(user, text, conversation);
    done('question');
    if (!understood.followsUp || !model?.describe().on) return understood;
    // Throws before the model is used, if the plan allows no further question.
    await context.count();
    const request = { userId: asker.userId, question: text, earlier: conversation, signal };
    const rewritten = await model.rewrite(request).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    done('rewriting');
    return rewritten === null ? understood : questions.understand(user, rewritten);
  }

  async function outcomeOf(context: AnswerContext): Promise<Outcome> {
    const { userId } = context.asker;
    const answerUnsearched = async (markdown: string): Promise<Outcome> => {
      await context.count();
      context.send('delta', { text: markdown });
      return unsearched(markdown);
    };
    if (!(await library.hasFiles(userId))) return answerUnsearched(NO_FILES);
    const { unfinished } = extractions;
    const notReady = await awaitRecentUploads({ unfinished, now }, userId, {
      signal: context.signal,
      onStep: (text) => context.send('step', { text }),
    });
    context.done('uploads');
    try {
      const { question } = await understand(context);
      const outcome = question.files.list
        ? await answerWithFiles(context, question)
        : await answerFromFiles(context, question);
      let { notice } = outcome;
      if (!question.files.list && !outcome.answer.grounded && notice === null) {
        const missing = await ingestion.indexing.missing(userId);
        if (missing > 0) notice = notSearched(missing);
      }
      if (notReady.length > 0)
        notice = [notice, notReadyNotice(notReady)].filter(Boolean).join(' ');
      return { ...outcome, notice };
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      return answerUnsearched(TOO_LONG);
    }
  }

  return {
    /**
     * Finds the passages for an answer, each with the source location of its best sentence. Counts as a
     * question, because it does most of the work of answering one.
     * @throws HttpError 402 if the plan allows no further question, 429 or 503 as for questions
     */
    async find(userId: string, text: string, keywords: readonly string[]) {
      const context = { userId, runAnalysis: analysis.forQuestion(userId) };
      const { ranked } = await questions
        .passagesOf(context, text, keywords, () => countQuery(userId))
        .catch((error: unknown) => {
          throw error instanceof ThreadEnded ? new HttpError(503, 'too_long', TOO_LONG) : error;
        });
      const best = quotable(ranked).slice(0, FOUND_LIMIT);
      return library.locate(
        userId,
        best.map((passage) => ({ ...bestSentenceOf(passage), passage })),
      );
    },

    /**
     * Answers a question and stores it in the history, even if it takes too long or the client disconnects
     * (`signal`), which only stops the model.
     */
    async ask(
      asker: Asker,
      request: SearchRequest,
      signal: AbortSignal,
      send: Send = () => undefined,
    ): Promise<SearchData> {
      const times: { name: string; ms: number }[] = [];
      let since = performance.now();
      const done = (name: string): void => {
        const time = performance.now();
        times.push({ name, ms: Math.round((time - since) * 100) / 100 });
        since = time;
      };
      const { userId } = asker;
      const version = await library.version(userId);
      const id = randomUUID();
      const narrowing = await narrowingOf(userId, request);
      let counted: Promise<void> | undefined;
      const outcome = await outcomeOf({
        id,
        asker,
        text: request.text,
        narrowing,
        conversation: await history.service.conversation(userId, request.after),
        runAnalysis: analysis.forQuestion(userId),
        signal,
        send,
        done,
        count: () => (counted ??= countQuery(userId)),
      });
      const { answer, notice, recommendations, related, similar, terms } = outcome;

      const entry = {
        id,
        userId,
        question: request.text,
        answer: answer.markdown,
        grounded: answer.grounded,
        notice,
        citations: outcome.citations,
        nearest: outcome.nearest,
        found: outcome.found,
        recommendations,
        related,
        keywords: [...narrowing.keywords],
        chosenFiles: [...narrowing.artifactIds],
        latitude: request.location?.latitude ?? null,
        longitude: request.location?.longitude ?? null,
        ip: asker.ip,
        device: request.device ?? null,
        bookmarked: false,
        archived: false,
        follows: request.after ?? null,
        writtenBy: outcome.model ?? 'files',
        createdAt: now(),
      };
      const [[citations = [], nearest = []], [found = []]] = await Promise.all([
        library.withNames(userId, [entry.citations, entry.nearest]),
        library.withNames(userId, [entry.found]),
        history.service.record(entry, async () => (await library.version(userId)) === version),
      ]);
      done('history');
      const audio = request.audio ? await history.audio.spoken(userId, entry.id, signal) : null;
      if (request.audio) done('audio');
      for (const { name, ms } of times) metrics.stage(name, ms / 1000);
      const passages = outcome.found.map(({ artifactId, start, end }, i) => ({
        artifactId,
        start,
        end,
        scores: outcome.scores[i] ?? {},
      }));
      return {
        text: entry.question,
        answers: [entry.answer],
        date: entry.createdAt.toISOString(),
        recommendations: recommendations.map(({ question: text }) => text),
        history_id: entry.id,
        audio_file: audio,
        similar_vectors: similar,
        citations,
        grounded: entry.grounded,
        nearest,
        mode: modeOf(entry),
        found,
        unverified: unverifiedIn(entry.answer),
        notice,
        writtenBy: entry.writtenBy,
        ...(request.explain ? { explain: { passages, terms, stages: times } } : {}),
      };
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;
