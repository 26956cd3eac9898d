import { FOUND_LIMIT } from '@engram/contract';
import {
  type EarlierTurn,
  type LibraryDocument,
  type Question,
  type RankedPassage,
  relevanceOf,
  type Section,
  type SourceDocument,
} from '@engram/retrieval';
import type { Core } from '../../composition/core.ts';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Narrowing } from '../artifacts/library.ts';
import { createQuestionLimiter, type RunAnalysis } from './analysis/analysis-threads.ts';
import { quotable, type Ranked, type SectionWithNewer, type Understood } from './analysis/tasks.ts';
import type { Reranking } from './reranking.ts';
import type { Retrieval, Retrieved } from './retrieval.ts';

/** Files that sections are read from whole, and the characters of the longest. */
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
  /** As it was searched for: with its typing errors corrected. */
  question: Question;
  ranked: RankedPassage[];
  /** The best passage of the ranking, if a reranker has changed the order since. */
  bestBefore: RankedPassage | undefined;
  files: ReadonlyMap<string, NamedFile>;
}

export interface Found extends FoundPassages {
  /**
   * How likely it is, between 0 and 1, that the best section answers the question. A reranker does not
   * change it, because its logits have no common scale.
   */
  relevance: number;
  sections: SectionWithNewer[];
}

const ignore = (): void => undefined;

async function withRespelled(
  found: readonly Retrieved[],
  rank: (found: readonly Retrieved[], reportUnfound: boolean) => Promise<Ranked>,
): Promise<{ found: readonly Retrieved[]; lists: RankedPassage[][] }> {
  const first = await rank(found, true);
  if ('lists' in first) return { found, lists: first.lists };
  const again = await Promise.all(
    found.map((one, i) => {
      const terms = first.unfound[i] ?? [];
      return terms.length === 0 ? one : one.respelled(terms);
    }),
  );
  const second = await rank(again, false);
  return { found: again, lists: 'lists' in second ? second.lists : [] };
}

export function createQuestionSearch(
  core: Core,
  retrieval: Retrieval,
  reranking: Pick<Reranking, 'logits'> | null,
) {
  const { library } = core.storage;
  const { timeZone } = core.config;

  async function search(
    questions: readonly Question[],
    { userId, runAnalysis, narrowing, done = ignore }: Omit<PassageRequest, 'question'>,
  ) {
    const [facts, ...found] = await Promise.all([
      library.facts(userId),
      ...questions.map((question, i) =>
        retrieval(userId, question, narrowing, i === 0 ? done : ignore),
      ),
    ]);
    return withRespelled(found, (some, reportUnfound) => {
      const searches = some.map(({ question, passages }) => ({ question, passages }));
      return runAnalysis('rank', searches, reportUnfound, facts);
    });
  }

  /** Analyses a question, with what was asked before it, oldest first. */
  async function understand(
    { userId, runAnalysis }: AnalysisUser,
    text: string,
    turns: readonly EarlierTurn[] = [],
  ): Promise<Understood> {
    const languages = await library.languages(userId);
    const options = { languages, timeZone, now: core.now() };
    const understood =
      (await runAnalysis('read', text, turns, { ...options, names: null })) ??
      (await runAnalysis('read', text, turns, { ...options, names: await library.names(userId) }));
    if (understood === null) throw new Error('The analysis did not use the names of the files.');
    return understood;
  }

  async function findPassages(request: PassageRequest): Promise<FoundPassages> {
    const { question, done = ignore } = request;
    const { found, lists } = await search([question], request);
    done('rank');
    const [ranked = []] = lists;
    const passages = {
      question: found[0]?.question ?? question,
      files: found[0]?.files ?? new Map<string, NamedFile>(),
    };
    const logits = (await reranking?.logits(passages.question.text, ranked)) ?? null;
    if (logits === null) return { ...passages, ranked, bestBefore: undefined };
    const facts = await library.facts(request.userId);
    const reranked = await request.runAnalysis('rerank', ranked, logits, facts);
    done('rerank');
    return { ...passages, ranked: reranked, bestBefore: quotable(ranked)[0] };
  }

  async function findSections(request: PassageRequest): Promise<Found> {
    const { userId, runAnalysis, done = ignore } = request;
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
    const about = { question, ranked, documents, facts, limit: FOUND_LIMIT };
    const sections = await runAnalysis('sections', about);
    done('sections');
    const relevance = bestBefore ? relevanceOf(bestBefore) : (sections[0]?.relevance ?? 0);
    return { ...passages, sections, relevance };
  }

  /** Runs the search for a question when a slot for its user is free. */
  const inTurn = createQuestionLimiter();

  return {
    understand,
    findSections,
    inTurn,

    /** Finds the passages for a text while its question is counted. */
    async passagesOf(
      user: AnalysisUser,
      text: string,
      keywords: readonly string[],
      count: () => Promise<void>,
    ): Promise<FoundPassages> {
      const { question } = await understand(user, text);
      const narrowing = { keywords, artifactIds: [] };
      const [found] = await inTurn(user.userId, () =>
        Promise.all([findPassages({ ...user, question, narrowing }), count()]),
      );
      return found;
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
      const questions = await request.runAnalysis('analyse', queries, languages);
      const about = questions.map((question): Question => ({ ...question, files }));
      const { lists } = await search(about, request);
      return lists.map(quotable);
    },
  };
}

export type QuestionSearch = ReturnType<typeof createQuestionSearch>;
