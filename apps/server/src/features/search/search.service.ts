import { randomUUID } from 'node:crypto';
import { modeOf, NEAREST_LIMIT, type RelatedFile, type SearchData } from '@engram/contract';
import {
  type Answer,
  type EarlierTurn,
  mergePassages,
  type RankedPassage,
  unverifiedIn,
} from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Narrowing } from '../artifacts/library.ts';
import type { HistoryService } from '../history/history.service.ts';
import type { StoredCitation, StoredSection } from '../history/history.tables.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { LinkHolder } from '../../platform/http/signed-links.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import { writeAnswer } from './written-answer.ts';
import { readConversation } from './conversation.ts';
import { listFiles } from './file-lists.ts';
import { foundAnswerOf } from './found-answer.ts';
import { type Cited, NO_FILES, notLookedAt, type Outcome, unsearched } from './outcome.ts';
import { openEvidenceFiles } from './model/evidence-files.ts';
import type { QuestionSearch } from './question-search.ts';
import type { SearchEvents, SearchRequest } from './search-request.ts';
import { awaitRecentUploads, notReady } from './recent-uploads.ts';
import type { ScopeOf } from './retrieval.ts';
import { quotable } from './analysis/quotable.ts';
import { stopwatch } from './analysis/stopwatch.ts';
import { relatedFiles } from './analysis/related-files.ts';
import type { Understood } from './analysis/tasks.ts';
import {
  type RunAnalysis,
  type AnalysisThreads,
  TOO_LONG,
  unlessTooLong,
} from './analysis/analysis-threads.ts';

interface Parts {
  questions: QuestionSearch;
  scopeOf: ScopeOf;
  analysis: Pick<AnalysisThreads, 'forQuestion'>;
  history: HistoryService;
  /** How many of a user's files the index has lost and does not have again yet. */
  notIndexedYet: (userId: string) => Promise<number>;
  /** The names of files that a user uploaded since a moment and that are not ready. */
  unfinished: (userId: string, since: Date, limit: number) => Promise<string[]>;
  /** Counts a question; throws where the plan does not allow another one. */
  countQuery: (userId: string) => Promise<void>;
  /** The sound of an answer in the history, as base64 of an mp3; null where there is none in time. */
  spokenAnswer: (userId: string, historyId: string, signal: AbortSignal) => Promise<string | null>;
  /** Receives how long each stage of a question took, in seconds. */
  onStage: (name: string, seconds: number) => void;
}

/** Passages with a text, best first, and their files by id. */
interface PassageList {
  passages: RankedPassage[];
  files: ReadonlyMap<string, NamedFile>;
}

interface Asker extends LinkHolder {
  email: string;
  ip: string;
}

/** Questions recommended after an answer. */
const RECOMMENDATIONS = 3;

/** One question while it is answered. */
interface Asking {
  /** The id that it gets in the history. */
  id: string;
  asker: Asker;
  request: SearchRequest;
  /** What the question is limited to. */
  narrowing: Narrowing;
  /** What was asked and answered before, oldest first. */
  conversation: EarlierTurn[];
  runAnalysis: RunAnalysis;
  signal: AbortSignal;
  events: SearchEvents | undefined;
  done: ReturnType<typeof stopwatch>['done'];
  /** Counts the question once; throws where the plan does not allow another one. */
  counted: () => Promise<void>;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/** Answers questions from a user's own files. */
export function createSearchService(core: Core, parts: Parts) {
  const { now } = core;
  const { library } = core.storage;
  const { model } = core.providers;
  const { questions, scopeOf, analysis, history } = parts;
  const { timeZone } = core.config;
  // The Swedish format is YYYY-MM-DD.
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });

  async function citedIn(userId: string, { citations, nearest = [] }: Answer): Promise<Cited> {
    const quotes = [...citations, ...nearest.slice(0, NEAREST_LIMIT)];
    const located = await library.locate(userId, quotes);
    return {
      citations: located.slice(0, citations.length),
      nearest: located.slice(citations.length),
    };
  }

  /** Sends the sections and files that were found, and the citations known so far. */
  async function sendSources(
    { id, asker, events }: Asking,
    similar: RelatedFile[],
    cited: readonly StoredCitation[],
    sections: readonly StoredSection[] = [],
  ): Promise<void> {
    if (events === undefined) return;
    const [[citations = []], [found = []]] = await Promise.all([
      library.withNames(asker.userId, [cited]),
      library.withNames(asker.userId, [sections]),
    ]);
    events.onSources({ history_id: id, citations, found, similar_vectors: similar });
  }

  /** Answers with a list of files, which needs no model. */
  async function answerWithFiles(asking: Asking, { question }: Understood): Promise<Outcome> {
    const { asker, narrowing, runAnalysis, events, counted } = asking;
    const list = async () => {
      const scope = await scopeOf(asker.userId, narrowing);
      return listFiles(core, asker.userId, { question, scope, runAnalysis });
    };
    const [{ answer, related, files }] = await questions.inTurn(asker.userId, () =>
      Promise.all([list(), counted()]),
    );
    const similar = library.presentEach(asker, files, related);
    const cited = await citedIn(asker.userId, answer);
    await sendSources(asking, similar, cited.citations);
    asking.done('related');
    events?.onDelta({ text: answer.markdown });
    return { ...unsearched(''), ...cited, answer, related, similar, terms: termsOf(question) };
  }

  async function answerFromFiles(asking: Asking, { question }: Understood): Promise<Outcome> {
    const { asker, request, narrowing, conversation, runAnalysis, signal, events, done } = asking;
    const { userId } = asker;
    const writes = Boolean(model?.describe().on);
    // The index searches while the database counts. A question that exceeds the plan ends here.
    const [passages] = await questions.inTurn(userId, () =>
      Promise.all([
        questions.findSections({ userId, runAnalysis, question, narrowing, done }),
        asking.counted(),
      ]),
    );
    const { ranked, sections, files } = passages;
    const found = await foundAnswerOf(userId, passages, library.locate);
    const related = relatedFiles(ranked);
    const similar = library.presentEach(asker, files, related);
    // What a model cites is known when it has written the answer.
    await sendSources(asking, similar, writes ? [] : found.cited.citations, found.sections);
    done('sources');
    const written = await writeAnswer(writes ? model : null, {
      userId,
      asked: request.text,
      question,
      passages: quotable(ranked),
      sections,
      found: found.answer,
      earlier: conversation,
      evidenceFiles: openEvidenceFiles({ library, scopeOf }, { userId, question, narrowing }),
      today: days.format(now()),
      findMore: async (queries) =>
        mergePassages(
          await questions
            .passagesFor(queries, question, { userId, runAnalysis, narrowing })
            .catch(unlessTooLong([])),
        ),
      signal,
      onStep: (text) => events?.onStep({ text }),
      onDelta: (text) => events?.onDelta({ text }),
      done,
    });
    const { answer } = written;
    const cited = answer === found.answer ? found.cited : await citedIn(userId, answer);
    if (writes) await sendSources(asking, similar, cited.citations, found.sections);
    const asked = { question, ranked, cited: answer.citations, limit: RECOMMENDATIONS };
    const recommendations = await runAnalysis('recommend', asked).catch(unlessTooLong([]));
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
   * What a question is limited to. Of chosen files those that are gone are left out.
   * @throws HttpError 404 where none of them is there, or all are somebody else's
   */
  async function narrowingOf(
    userId: string,
    { keywords, artifactIds = [] }: SearchRequest,
  ): Promise<Narrowing> {
    const there = await library.answerable(userId, artifactIds);
    if (artifactIds.length > 0 && there.size === 0) {
      throw new HttpError(
        404,
        'artifact_not_found',
        'The files that you chose are not there any more, or are archived.',
      );
    }
    return { keywords, artifactIds: [...there.keys()] };
  }

  /** Reads a question; a follow-up as a model rewrites it, where there is one. */
  async function understand(asking: Asking): Promise<Understood> {
    const { asker, request, conversation, runAnalysis, signal, done, counted } = asking;
    const turns = conversation;
    const who = { userId: asker.userId, runAnalysis };
    const understood = await questions.understand(request.text, { ...who, turns });
    done('question');
    if (!understood.followsUp || !model?.describe().on) return understood;
    // A model is asked for nobody whose plan allows no question.
    await counted();
    const { userId } = asker;
    const question = { userId, question: request.text, earlier: turns, signal };
    const rewritten = await model.rewrite(question).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    done('rewriting');
    return rewritten === null ? understood : questions.understand(rewritten, { ...who, turns: [] });
  }

  /** Says of an answer without grounds that not all files were looked at, where that is so. */
  async function withDoubts(userId: string, outcome: Outcome): Promise<Outcome> {
    if (outcome.answer.grounded || outcome.notice !== null) return outcome;
    const files = await parts.notIndexedYet(userId);
    return files === 0 ? outcome : { ...outcome, notice: notLookedAt(files) };
  }

  async function outcomeOf(asking: Asking): Promise<Outcome> {
    const { asker, counted, events } = asking;
    const answerUnsearched = async (markdown: string): Promise<Outcome> => {
      await counted();
      events?.onDelta({ text: markdown });
      return unsearched(markdown);
    };
    if (!(await library.hasFiles(asker.userId))) return answerUnsearched(NO_FILES);
    const unread = await awaitRecentUploads({ unfinished: parts.unfinished, now }, asker.userId, {
      signal: asking.signal,
      onStep: (text) => events?.onStep({ text }),
    });
    asking.done('uploads');
    try {
      const understood = await understand(asking);
      const outcome = understood.question.files.list
        ? await answerWithFiles(asking, understood)
        : await withDoubts(asker.userId, await answerFromFiles(asking, understood));
      if (unread.length === 0) return outcome;
      const notice = [outcome.notice, notReady(unread)].filter(Boolean).join(' ');
      return { ...outcome, notice };
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      return answerUnsearched(TOO_LONG);
    }
  }

  return {
    /**
     * Finds the passages that an answer to a question would be made from. It counts as a question:
     * finding them is most of the work of an answer without a model.
     * @throws HttpError 402 if the plan allows no question, 429 and 503 as for questions
     */
    async find(userId: string, text: string, keywords: readonly string[]): Promise<PassageList> {
      const runAnalysis = analysis.forQuestion(userId);
      const request = { userId, text, keywords, runAnalysis, count: parts.countQuery };
      const { ranked, files } = await questions.passagesOf(request).catch((error: unknown) => {
        throw error instanceof ThreadEnded ? new HttpError(503, 'too_long', TOO_LONG) : error;
      });
      return { passages: quotable(ranked), files };
    },

    /**
     * Answers a question and keeps it in the history. A caller that goes away (`signal`) stops the
     * model, not the record; a question that takes too long is told so and is kept like any other.
     */
    async ask(
      asker: Asker,
      request: SearchRequest,
      signal: AbortSignal,
      events?: SearchEvents,
    ): Promise<SearchData> {
      const { times, done } = stopwatch();
      const { userId } = asker;
      const version = await library.version(userId);
      const id = randomUUID();
      const narrowing = await narrowingOf(userId, request);
      const outcome = await outcomeOf({
        id,
        asker,
        request,
        narrowing,
        conversation: await readConversation(history, userId, request.after),
        runAnalysis: analysis.forQuestion(userId),
        signal,
        events,
        done,
        counted: once(() => parts.countQuery(userId)),
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
        keywords: request.keywords,
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
        history.record(entry, async () => (await library.version(userId)) === version),
      ]);
      done('history');
      const sound = request.audio ? await parts.spokenAnswer(userId, entry.id, signal) : null;
      if (request.audio) done('audio');
      for (const { name, ms } of times) parts.onStage(name, ms / 1000);
      return {
        text: entry.question,
        answers: [entry.answer],
        date: entry.createdAt.toISOString(),
        recommendations: recommendations.map(({ question: text }) => text),
        history_id: entry.id,
        audio_file: sound,
        similar_vectors: similar,
        citations,
        grounded: entry.grounded,
        nearest,
        mode: modeOf(entry),
        found,
        unverified: unverifiedIn(entry.answer),
        notice,
        writtenBy: entry.writtenBy,
        ...(request.explain
          ? { explain: { passages: explained(outcome), terms, stages: times } }
          : {}),
      };
    },
  };
}

const explained = ({ found, scores }: Outcome) =>
  found.map(({ artifactId, start, end }, i) => ({
    artifactId,
    start,
    end,
    scores: scores[i] ?? {},
  }));

const termsOf = (question: Understood['question']): string[] =>
  question.terms.map(({ surface }) => surface);

export type SearchService = ReturnType<typeof createSearchService>;
