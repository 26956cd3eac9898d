import { randomUUID } from 'node:crypto';
import type { Citation, RelatedFile, SearchData } from '@engram/contract';
import {
  analyzeQuestion,
  mayNameFiles,
  readQuestion,
  type Question,
  mergePassages,
  type RankedPassage,
  recommendQuestions,
} from '@engram/retrieval';
import type { AnswerModel } from '../../platform/ai/answering/answer-model.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Library } from '../artifacts/library.ts';
import type { HistoryService } from '../history/history.service.ts';
import { type Answered, answerFrom, type AnsweringRequest } from './answering.ts';
import {
  findForAll,
  type FoundForAll,
  quotable,
  readConversation,
  understand,
} from './conversation.ts';
import { explain } from './explain.ts';
import type { Listed, Listing } from './listing.ts';
import type { Retrieval, Retrieved } from './retrieval.ts';
import { createStages } from './stages.ts';

export interface SearchDependencies {
  library: Library;
  retrieval: Retrieval;
  listing: Listing;
  history: HistoryService;
  index: SearchIndex;
  model: AnswerModel | null;
  /** Counts a question; throws where the plan does not allow another one. */
  countQuery: (userId: string) => Promise<void>;
  /** The sound of an answer in the history, as base64 of an mp3; null where there is none in time. */
  spokenAnswer: (userId: string, historyId: string, signal: AbortSignal) => Promise<string | null>;
  now: () => Date;
  /** Where days are counted: an IANA time zone. */
  timeZone: string;
}

export interface SearchRequest {
  text: string;
  location?: { latitude: number; longitude: number } | null | undefined;
  device?: string | null | undefined;
  keywords: string[];
  /** Whether the answer comes with its sound. */
  audio?: boolean | undefined;
  explain: boolean;
  after?: string | undefined;
}

export interface SearchEvents {
  onSources: (sources: { citations: Citation[]; similar_vectors: RelatedFile[] }) => void;
  onDelta: (delta: { text: string }) => void;
}

interface Asker {
  userId: string;
  email: string;
  ip: string;
}

/** Files that an answer names as related at most. */
const RELATED_FILES = 20;

/** A passage scoring less than this share of the best one does not make its file a related one. */
const RELATED_SHARE = 0.25;

/** Questions recommended after an answer. */
const RECOMMENDATIONS = 3;

/** Score at which a related file is shown as a half match. */
const HALF_SCORE = 5;

function relatedFiles(ranked: readonly RankedPassage[]): { artifactId: string; score: number }[] {
  const best = new Map<string, number>();
  for (const { artifactId, score } of ranked) {
    if (!best.has(artifactId)) best.set(artifactId, score);
  }
  const top = Math.max(0, ...best.values());
  return [...best]
    .filter(([, score]) => score >= top * RELATED_SHARE)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, RELATED_FILES)
    .map(([artifactId, score]) => ({
      artifactId,
      score: Math.max(0, score / (score + HALF_SCORE)),
    }));
}

/** Looks for each of the words that a model would look for. */
async function findOtherwise(
  find: (question: Question) => Promise<Retrieved>,
  queries: readonly string[],
  { languages, files }: Question,
): Promise<RankedPassage[]> {
  const found = await Promise.all(
    queries.map((text) => find({ ...analyzeQuestion(text, languages), files })),
  );
  return mergePassages(found.map(({ ranked }) => quotable(ranked)));
}

const findPassages: (
  ...request: Parameters<typeof findForAll>
) => Promise<FoundForAll & { listed?: Listed }> = findForAll;

/** Answers with a list of files, which needs no model. */
function tellFiles({ answer }: Listed, { onDelta }: Pick<AnsweringRequest, 'onDelta'>): Answered {
  onDelta(answer.markdown);
  return { answer, notice: null, passages: [] };
}

/** Answers questions from a person's own files. */
export function createSearchService(deps: SearchDependencies) {
  const { library, retrieval, listing, history, index, model, now, timeZone } = deps;

  return {
    /**
     * Answers a question and keeps it in the history. A caller that goes away (`signal`) stops the
     * model, not the record.
     */
    async ask(
      asker: Asker,
      request: SearchRequest,
      signal: AbortSignal,
      events?: SearchEvents,
    ): Promise<SearchData> {
      const { stages, done } = createStages();
      const version = library.version(asker.userId);
      const [languages, conversation] = await Promise.all([
        library.languages(asker.userId),
        readConversation(history, asker.userId, request.after),
      ]);
      const mayName = conversation.turns.length > 0 || mayNameFiles(request.text);
      const names = mayName ? await library.names(asker.userId) : null;
      const understood = understand(request.text, conversation, (text) =>
        readQuestion(text, { languages, names, timeZone, now: now() }),
      );
      const { question } = understood;
      const find = (wanted: Question) =>
        retrieval.find(asker.userId, {
          question: wanted,
          keywords: request.keywords,
          done: wanted === question ? done : () => undefined,
        });
      done('question');
      // The engine looks while the database counts; a question that may not be asked ends here.
      const [{ ranked, files, parts, listed }] = await Promise.all([
        question.files.list
          ? listing.list(asker.userId, question, request.keywords)
          : findPassages(find, understood, conversation),
        deps.countQuery(asker.userId),
      ]);

      const related = listed?.related ?? relatedFiles(ranked);
      const similar = library.presentEach(asker, files, related);
      events?.onSources({ citations: [], similar_vectors: similar });
      const { mainRows, deltaRows } = await index.stats(asker.userId);
      done('related');
      const answering: AnsweringRequest = {
        asked: request.text,
        question,
        passages: quotable(ranked),
        parts,
        librarySize: mainRows + deltaRows,
        earlier: conversation.turns,
        findMore: (queries) => findOtherwise(find, queries, question),
        signal,
        onDelta: (text) => events?.onDelta({ text }),
        done,
      };
      const { answer, notice, passages } = listed
        ? tellFiles(listed, answering)
        : await answerFrom(model, answering);
      done('answer');
      const recommendations = recommendQuestions(question, ranked, answer, RECOMMENDATIONS);
      done('recommendations');

      const entry = {
        id: randomUUID(),
        userId: asker.userId,
        question: request.text,
        answer: answer.markdown,
        grounded: answer.grounded,
        notice,
        citations: answer.citations as Citation[],
        recommendations,
        related,
        keywords: request.keywords,
        latitude: request.location?.latitude ?? null,
        longitude: request.location?.longitude ?? null,
        ip: asker.ip,
        device: request.device ?? null,
        bookmarked: false,
        archived: false,
        follows: request.after ?? null,
        createdAt: now(),
      };
      await history.record(entry, () => library.version(asker.userId) === version);
      done('history');
      const sound = request.audio ? await deps.spokenAnswer(asker.userId, entry.id, signal) : null;
      if (request.audio) done('audio');
      return {
        text: entry.question,
        answers: [entry.answer],
        date: entry.createdAt.toISOString(),
        recommendations: recommendations.map(({ question: text }) => text),
        history_id: entry.id,
        audio_file: sound,
        similar_vectors: similar,
        citations: entry.citations,
        grounded: entry.grounded,
        notice,
        ...(request.explain ? { explain: explain(passages, question, stages) } : {}),
      };
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;
