import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Citation, RelatedFile, SearchData } from '@engram/contract';
import {
  analyzeQuestion,
  type Passage,
  type Question,
  type RankedPassage,
  rankPassages,
  recommendQuestions,
} from '@engram/retrieval';
import type { AnswerModel } from '../../platform/ai/answer-model.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Library } from '../artifacts/library.ts';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { HistoryService } from '../history/history.service.ts';
import { answerFrom } from './answering.ts';

export interface SearchDependencies {
  library: Library;
  history: HistoryService;
  index: SearchIndex;
  model: AnswerModel | null;
  /** Counts a question; throws where the plan does not allow another one. */
  countQuery: (userId: string) => Promise<void>;
  /** The keywords as the person's list spells them. */
  spelledKeywords: (userId: string, keywords: readonly string[]) => Promise<string[]>;
  now: () => Date;
}

export interface SearchRequest {
  text: string;
  location?: { latitude: number; longitude: number } | null | undefined;
  device?: string | null | undefined;
  keywords: string[];
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

/** Chunks that are looked at closely for each question. */
const CANDIDATES = 50;

/** Files that an answer names as related at most. */
const RELATED_FILES = 20;

/** A passage scoring less than this share of the best one does not make its file a related one. */
const RELATED_SHARE = 0.25;

/** Questions recommended after an answer. */
const RECOMMENDATIONS = 3;

/** Score at which a related file is shown as a half match. */
const HALF_SCORE = 5;

const EXPLAINED_PASSAGES = 5;
const EXPLAINED_CHARACTERS = 5000;

/** Times the stages of one question, in milliseconds. */
function createStages() {
  const stages: { name: string; ms: number }[] = [];
  let since = performance.now();
  return {
    stages,
    done(name: string): void {
      const at = performance.now();
      stages.push({ name, ms: Math.round((at - since) * 100) / 100 });
      since = at;
    },
  };
}

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

function explain(
  ranked: readonly RankedPassage[],
  question: Question,
  stages: { name: string; ms: number }[],
) {
  let left = EXPLAINED_CHARACTERS;
  const passages = ranked.slice(0, EXPLAINED_PASSAGES).flatMap((passage) => {
    const end = Math.min(passage.end, passage.start + left);
    left -= end - passage.start;
    return end > passage.start
      ? [{ artifactId: passage.artifactId, start: passage.start, end, scores: passage.scores }]
      : [];
  });
  return { passages, terms: question.terms.map(({ surface }) => surface), stages };
}

/** Answers questions from a person's own files. */
export function createSearchService(deps: SearchDependencies) {
  const { library, history, index, model, now } = deps;

  const retrieve = async (
    asker: Asker,
    question: Question,
    keywords: readonly string[],
    done: (stage: string) => void,
  ): Promise<{ ranked: RankedPassage[]; files: Map<string, NamedFile> }> => {
    const narrowed = await deps.spelledKeywords(asker.userId, keywords);
    const found = library.scope(asker.userId, narrowed).then((scope) =>
      index.search(asker.userId, {
        terms: question.query.split(' ').filter(Boolean),
        limit: CANDIDATES,
        ...scope,
      }),
    );
    // The engine looks while the database counts; a question that may not be asked ends here.
    const [hits] = await Promise.all([found, deps.countQuery(asker.userId)]);
    done('index');
    // PostgreSQL has the last word on what exists, whatever the index still holds.
    const files = await library.answerable(
      asker.userId,
      hits.map(({ row }) => row.artifactId),
    );
    done('files');
    const passages: Passage[] = hits.flatMap(({ row, score }) => {
      const file = files.get(row.artifactId);
      return file ? [{ ...row, fileName: file.fileName, score }] : [];
    });
    const ranked = rankPassages(question, passages);
    done('rank');
    return { ranked, files };
  };

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
      const languages = await library.languages(asker.userId);
      const question = analyzeQuestion(request.text, languages);
      done('question');
      const { ranked, files } = await retrieve(asker, question, request.keywords, done);

      const related = relatedFiles(ranked);
      const similar = library.presentEach(asker, files, related);
      events?.onSources({ citations: [], similar_vectors: similar });
      const { mainRows, deltaRows } = await index.stats(asker.userId);
      const previous = request.after ? await history.find(asker.userId, request.after) : undefined;
      done('related');
      const { answer, notice } = await answerFrom(model, {
        question,
        // A file that is found by its name alone has nothing to quote.
        passages: ranked.filter(({ text }) => text !== ''),
        librarySize: mainRows + deltaRows,
        previous: previous && { question: previous.question, answer: previous.answer },
        signal,
        onDelta: (text) => events?.onDelta({ text }),
      });
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
        createdAt: now(),
      };
      await history.record(entry);
      done('history');
      return {
        text: entry.question,
        answers: [entry.answer],
        date: entry.createdAt.toISOString(),
        recommendations: recommendations.map(({ question: text }) => text),
        history_id: entry.id,
        audio_file: null,
        similar_vectors: similar,
        citations: entry.citations,
        grounded: entry.grounded,
        notice,
        ...(request.explain ? { explain: explain(ranked, question, stages) } : {}),
      };
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;
