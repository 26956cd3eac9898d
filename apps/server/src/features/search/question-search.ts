import { FOUND_LIMIT } from '@engram/contract';
import {
  type EarlierTurn,
  isTypo,
  type LibraryDocument,
  correctTypos,
  type Passage,
  type Question,
  type RankedPassage,
  relevanceOf,
  type Section,
  type SourceDocument,
  withRarity,
} from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { Narrowing, Scope } from '../artifacts/library.ts';
import { createQuestionLimiter, type RunAnalysis } from './analysis/analysis-threads.ts';
import {
  quotable,
  type Ranked,
  type SectionWithNewer,
  type UnderstoodQuestion,
} from './analysis/tasks.ts';
import type { Reranking } from './reranking.ts';
import type { Storage } from '../../composition/storage.ts';
import type { RowPlace } from '../../platform/index/search-index.ts';

export type ScopeOf = (userId: string, narrowing: Narrowing) => Promise<Scope>;

interface Retrieved {
  question: Question;
  /** In the order of the index. */
  passages: Passage[];
  files: Map<string, ArtifactRow>;
  /** Searches again with these terms corrected, if the index has similar terms. */
  withCorrections: (unfound: readonly string[]) => Promise<Retrieved>;
}

/** The number of chunks ranked for each question. */
const CANDIDATES = 50;

/** If no word of a question is found, the first chunks of up to this many files are ranked. */
const MAX_BEGINNINGS = 3;
const BEGINNING_CHUNKS = 16;

/** The terms of one question that are corrected. Each takes the index a few milliseconds. */
const MAX_CORRECTIONS = 8;

const keyOf = ({ artifactId, ordinal }: RowPlace): string => `${artifactId}:${ordinal}`;

/** The chunks found by words, with their similarities, then those found only by meaning, with a score of 0. */
export function joinNearest<Row extends RowPlace>(
  hits: readonly { row: Row; score: number }[],
  near: readonly { row: Row; similarity: number }[],
): { row: Row; score: number; similarity?: number }[] {
  const similarities = new Map(near.map(({ row, similarity }) => [keyOf(row), similarity]));
  const foundByWords = new Set(hits.map(({ row }) => keyOf(row)));
  return [
    ...hits.map((hit) => {
      const similarity = similarities.get(keyOf(hit.row));
      return similarity === undefined ? hit : { ...hit, similarity };
    }),
    ...near.filter(({ row }) => !foundByWords.has(keyOf(row))).map((hit) => ({ ...hit, score: 0 })),
  ];
}

/** Finds passages of a user's files by words and by meaning. */
export function createRetrieval(
  { library, index, embedding }: Pick<Storage, 'library' | 'index' | 'embedding'>,
  scopeOf: ScopeOf,
) {
  async function beginningsOf(userId: string, scope: Scope) {
    const ids = 'only' in scope && scope.only.size <= MAX_BEGINNINGS ? [...scope.only] : [];
    const places = ids.flatMap((artifactId) =>
      Array.from({ length: BEGINNING_CHUNKS }, (_, ordinal) => ({ artifactId, ordinal })),
    );
    const rows = await index.rowsAt(userId, places);
    return rows.map((row) => ({ row, score: 0 }));
  }

  /** @param done is called at the end of each stage */
  return async (
    userId: string,
    question: Question,
    narrowing: Narrowing,
    done: (stage: string) => void,
  ): Promise<Retrieved> => {
    const all = await scopeOf(userId, narrowing);
    const isChosen = narrowing.artifactIds.length > 0;
    const searchIndex = async (searched: Question, scope: Scope) => {
      const words = index.search(userId, {
        terms: [...searched.query.split(' ').filter(Boolean), ...searched.hints],
        limit: CANDIDATES,
        ...scope,
      });
      const near = embedding.nearest(userId, {
        question: searched.text,
        limit: CANDIDATES,
        limits: scope,
        done,
      });
      const [{ passages, frequencies }, nearest] = await Promise.all([words, near]);
      return { hits: joinNearest(passages, nearest), frequencies };
    };
    const read = async (scope: Scope, searched = question): Promise<Retrieved> => {
      const { hits, frequencies } = await searchIndex(searched, scope);
      if (hits.length === 0 && (scope !== all || isChosen))
        hits.push(...(await beginningsOf(userId, scope)));
      done('index');
      // The index may still contain deleted files.
      const ids = hits.map(({ row }) => row.artifactId);
      const files = await library.answerable(userId, ids);
      done('files');
      const passages = hits.flatMap(({ row, ...hit }): Passage[] => {
        const file = files.get(row.artifactId);
        return file ? [{ ...row, fileName: file.fileName, path: file.path, ...hit }] : [];
      });
      const retrieved: Retrieved = {
        question: withRarity(searched, frequencies),
        files,
        passages,
        async withCorrections(unfound) {
          const misspelled = unfound.slice(0, MAX_CORRECTIONS);
          const similar = await index.similarTerms(userId, misspelled, isTypo);
          const corrected =
            similar.length > 0
              ? await read(scope, correctTypos(searched, misspelled, similar))
              : retrieved;
          done('spelling');
          return corrected;
        },
      };
      return retrieved;
    };
    const narrowed = await library.narrow(userId, all, question.files);
    const retrieved = await read(narrowed ?? all);
    // If no file matches the question, all files are searched.
    return narrowed !== null && retrieved.passages.length === 0 ? read(all) : retrieved;
  };
}

export type Retrieval = ReturnType<typeof createRetrieval>;

/** The files that are read whole for sections, and their maximum length in characters. */
const MAX_DOCUMENTS = 6;
export const MAX_CHARACTERS = 400_000;

export const bestFiles = (ranked: readonly RankedPassage[]): string[] =>
  [...new Set(ranked.map(({ artifactId }) => artifactId))].slice(0, MAX_DOCUMENTS);

interface AnalysisUser {
  userId: string;
  runAnalysis: RunAnalysis;
}

interface PassageRequest extends AnalysisUser {
  question: Question;
  narrowing: Narrowing;
  done?: (stage: string) => void;
}

interface FoundPassages {
  /** The question that was searched for, with typos corrected. */
  question: Question;
  ranked: RankedPassage[];
  /** The best passage of the ranking, if a reranker has changed the order. */
  bestBefore: RankedPassage | undefined;
  files: ReadonlyMap<string, ArtifactRow>;
}

export interface Found extends FoundPassages {
  /**
   * The probability that the best section answers the question. A reranker does not change it, because its
   * logits have no common scale.
   */
  relevance: number;
  sections: SectionWithNewer[];
}

const noop = (): void => undefined;

export function createQuestionSearch(
  core: Core,
  retrieval: Retrieval,
  reranking: Pick<Reranking, 'logits'> | null,
) {
  const { library } = core.storage;
  const { timeZone } = core.config;

  async function search(
    questions: readonly Question[],
    { userId, runAnalysis, narrowing, done = noop }: Omit<PassageRequest, 'question'>,
  ) {
    const [facts, ...results] = await Promise.all([
      library.facts(userId),
      ...questions.map((question, i) =>
        retrieval(userId, question, narrowing, i === 0 ? done : noop),
      ),
    ]);
    const rank = (retrieved: readonly Retrieved[], reportUnfound: boolean): Promise<Ranked> => {
      const searches = retrieved.map(({ question, passages }) => ({ question, passages }));
      return runAnalysis('rank', searches, reportUnfound, facts);
    };
    const first = await rank(results, true);
    if ('lists' in first) return { results, lists: first.lists };
    const corrected = await Promise.all(
      results.map((retrieved, i) => {
        const terms = first.unfound[i] ?? [];
        return terms.length === 0 ? retrieved : retrieved.withCorrections(terms);
      }),
    );
    const second = await rank(corrected, false);
    return { results: corrected, lists: 'lists' in second ? second.lists : [] };
  }

  /** Analyzes a question after earlier turns, oldest first. */
  async function understand(
    { userId, runAnalysis }: AnalysisUser,
    text: string,
    turns: readonly EarlierTurn[] = [],
  ): Promise<UnderstoodQuestion> {
    const languages = await library.languages(userId);
    const options = { languages, timeZone, now: core.now() };
    const understood =
      (await runAnalysis('read', text, turns, { ...options, names: null })) ??
      (await runAnalysis('read', text, turns, { ...options, names: await library.names(userId) }));
    if (understood === null) throw new Error('The analysis did not use the names of the files.');
    return understood;
  }

  async function findPassages(request: PassageRequest): Promise<FoundPassages> {
    const { question, done = noop } = request;
    const { results, lists } = await search([question], request);
    done('rank');
    const [ranked = []] = lists;
    const passages = {
      question: results[0]?.question ?? question,
      files: results[0]?.files ?? new Map<string, ArtifactRow>(),
    };
    const logits = (await reranking?.logits(passages.question.text, ranked)) ?? null;
    if (logits === null) return { ...passages, ranked, bestBefore: undefined };
    const facts = await library.facts(request.userId);
    const reranked = await request.runAnalysis('rerank', ranked, logits, facts);
    done('rerank');
    return { ...passages, ranked: reranked, bestBefore: quotable(ranked)[0] };
  }

  async function findSections(request: PassageRequest): Promise<Found> {
    const { userId, runAnalysis, done = noop } = request;
    const passages = await findPassages(request);
    const [texts, facts] = await Promise.all([
      library.documents(userId, bestFiles(passages.ranked), MAX_CHARACTERS),
      library.facts(userId),
    ]);
    done('documents');
    const documents = [...texts].map(([artifactId, document]): LibraryDocument => {
      const fileName = passages.files.get(artifactId)?.fileName ?? '';
      return { ...(document as SourceDocument), artifactId, fileName };
    });
    const { question, ranked, bestBefore } = passages;
    const options = { question, ranked, documents, facts, limit: FOUND_LIMIT };
    const sections = await runAnalysis('sections', options);
    done('sections');
    const relevance = bestBefore ? relevanceOf(bestBefore) : (sections[0]?.relevance ?? 0);
    return { ...passages, sections, relevance };
  }

  /** Runs the search for a question when a slot for its user is free. */
  const inSlot = createQuestionLimiter();

  return {
    understand,
    findSections,
    inSlot,

    /** Finds the passages for a text, while `count` counts the question. */
    async passagesOf(
      user: AnalysisUser,
      text: string,
      keywords: readonly string[],
      count: () => Promise<void>,
    ): Promise<FoundPassages> {
      const { question } = await understand(user, text);
      const narrowing = { keywords, artifactIds: [] };
      const [passages] = await inSlot(user.userId, () =>
        Promise.all([findPassages({ ...user, question, narrowing }), count()]),
      );
      return passages;
    },

    async sectionsFor(user: AnalysisUser, text: string): Promise<Section[]> {
      const { question } = await understand(user, text);
      // A list of files is not an answer from one of them.
      if (question.files.list) return [];
      const narrowing = { keywords: [], artifactIds: [] };
      return (await findSections({ ...user, question, narrowing })).sections;
    },

    async passagesFor(
      queries: readonly string[],
      { languages, files }: Question,
      request: AnalysisUser & { narrowing: Narrowing },
    ): Promise<RankedPassage[][]> {
      const analyzed = await request.runAnalysis('analyze', queries, languages);
      const questions = analyzed.map((question): Question => ({ ...question, files }));
      const { lists } = await search(questions, request);
      return lists.map(quotable);
    },
  };
}

export type QuestionSearch = ReturnType<typeof createQuestionSearch>;
