import {
  type EarlierTurn,
  type LibraryDocument,
  type Question,
  type RankedPassage,
  relevanceOf,
  type Section,
  type SourceDocument,
} from '@engram/retrieval';
import { FOUND_LIMIT } from '@engram/contract';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Core } from '../../composition/core.ts';
import type { Narrowing } from '../artifacts/library.ts';
import { createQuestionLimiter } from './question-limiter.ts';
import type { Reranking } from './reranking.ts';
import type { Retrieval, Retrieved } from './retrieval.ts';
import { quotable } from './analysis/quotable.ts';
import type { Ranked, SectionWithNewer, Understood, Unfound } from './analysis/tasks.ts';
import type { RunAnalysis } from './analysis/analysis-threads.ts';

interface Parts {
  retrieval: Retrieval;
  reranking: Pick<Reranking, 'logits'>;
}

/** Leaves the order to the ranking. */
export const NOT_RERANKED: Parts['reranking'] = { logits: async () => null };

/** Files that sections are read from whole, and the characters of the longest. */
const MAX_DOCUMENTS = 6;
export const MAX_CHARACTERS = 400_000;

/** The files of the best passages, best first. */
export function bestFiles(ranked: readonly RankedPassage[]): string[] {
  const ids = new Set<string>();
  for (const { artifactId } of ranked) if (ids.size < MAX_DOCUMENTS) ids.add(artifactId);
  return [...ids];
}

/** The user, and the worker threads that analyse the question. */
interface Asked {
  userId: string;
  runAnalysis: RunAnalysis;
}

export interface PassageRequest extends Asked {
  question: Question;
  narrowing: Narrowing;
  /** Called at the end of each stage. */
  done?: (stage: string) => void;
}

export interface FoundPassages {
  /** As it was searched for: with its typing errors corrected. */
  question: Question;
  /** Best first. */
  ranked: RankedPassage[];
  /** The best passage of the ranking, if a reranker has changed the order since. */
  bestBefore: RankedPassage | undefined;
  /** The files of the passages, by id. */
  files: ReadonlyMap<string, NamedFile>;
}

export interface Found extends FoundPassages {
  /**
   * How likely it is, between 0 and 1, that the best section answers the question. It is that of the
   * ranking: the logits of rerankers have no common scale, so their order does not change it.
   */
  relevance: number;
  /** Best first. */
  sections: SectionWithNewer[];
}

const ignore = (): void => undefined;

const isUnfound = (answer: object): answer is Unfound => 'unfound' in answer;

/** Ranks what was found. Terms that no passage has are corrected and searched again. */
async function withRespelled(
  found: readonly Retrieved[],
  rank: (found: readonly Retrieved[], reportUnfound: boolean) => Promise<Ranked | Unfound>,
): Promise<{ found: readonly Retrieved[]; lists: RankedPassage[][] }> {
  const first = await rank(found, true);
  if (!isUnfound(first)) return { found, lists: first.lists };
  const again = await Promise.all(
    found.map((one, i) => {
      const terms = first.unfound[i] ?? [];
      return terms.length === 0 ? one : one.respelled(terms);
    }),
  );
  return { found: again, lists: ((await rank(again, false)) as Ranked).lists };
}

/** Analyses questions and finds the sections of files that they are about. */
export function createQuestionSearch(core: Core, { retrieval, reranking }: Parts) {
  const { library } = core.storage;
  const { timeZone } = core.config;

  async function search(
    questions: readonly Question[],
    { userId, runAnalysis, narrowing, done = ignore }: Omit<PassageRequest, 'question'>,
  ) {
    const [facts, ...found] = await Promise.all([
      library.facts(userId),
      ...questions.map((question, i) =>
        retrieval(userId, { question, narrowing, done: i === 0 ? done : ignore }),
      ),
    ]);
    return withRespelled(found, (some, reportUnfound) =>
      runAnalysis('rank', {
        searches: some.map(({ question, passages }) => ({ question, passages })),
        reportUnfound,
        facts,
      }),
    );
  }

  /** Analyses a question, with what was asked before it, oldest first. */
  async function understand(
    text: string,
    { userId, runAnalysis, turns = [] }: Asked & { turns?: readonly EarlierTurn[] },
  ): Promise<Understood> {
    const languages = await library.languages(userId);
    const request = { text, turns, languages, timeZone, now: core.now() };
    const understood =
      (await runAnalysis('read', { ...request, names: null })) ??
      (await runAnalysis('read', { ...request, names: await library.names(userId) }));
    if (understood === null) throw new Error('The analysis did not use the names of the files.');
    return understood;
  }

  /** Finds and ranks passages. */
  async function findPassages(request: PassageRequest): Promise<FoundPassages> {
    const { question, done = ignore } = request;
    const { found, lists } = await search([question], request);
    done('rank');
    const [ranked = []] = lists;
    const passages = {
      question: found[0]?.question ?? question,
      files: found[0]?.files ?? new Map<string, NamedFile>(),
    };
    const logits = await reranking.logits(passages.question.text, ranked);
    if (logits === null) return { ...passages, ranked, bestBefore: undefined };
    const facts = await library.facts(request.userId);
    const reranked = await request.runAnalysis('rerank', { ranked, logits, facts });
    done('rerank');
    return { ...passages, ranked: reranked, bestBefore: quotable(ranked)[0] };
  }

  /** Finds the sections that a question is about. */
  async function findSections(request: PassageRequest): Promise<Found> {
    const { userId, runAnalysis, done = ignore } = request;
    const passages = await findPassages(request);
    const [texts, facts] = await Promise.all([
      library.documents(userId, bestFiles(passages.ranked), MAX_CHARACTERS),
      library.facts(userId),
    ]);
    done('documents');
    const names = new Map([...passages.files].map(([id, { fileName }]) => [id, fileName]));
    const sections = await runAnalysis('sections', {
      question: passages.question,
      ranked: passages.ranked,
      documents: [...texts].map(([artifactId, document]): LibraryDocument => ({
        ...(document as SourceDocument),
        artifactId,
        fileName: names.get(artifactId) ?? '',
      })),
      facts,
      limit: FOUND_LIMIT,
    });
    done('sections');
    const { bestBefore } = passages;
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
      request: Asked & {
        text: string;
        keywords: readonly string[];
        count: (userId: string) => Promise<void>;
      },
    ): Promise<FoundPassages> {
      const { userId, runAnalysis, text, keywords } = request;
      const { question } = await understand(text, { userId, runAnalysis });
      const narrowing = { keywords, artifactIds: [] };
      const [found] = await inTurn(userId, () =>
        Promise.all([
          findPassages({ userId, runAnalysis, question, narrowing }),
          request.count(userId),
        ]),
      );
      return found;
    },

    /** The sections for a recommended question. Nothing is stored. */
    async sectionsFor(userId: string, text: string, runAnalysis: RunAnalysis): Promise<Section[]> {
      const { question } = await understand(text, { userId, runAnalysis });
      // A list of files is not an answer from one of them.
      if (question.files.list) return [];
      const narrowing = { keywords: [], artifactIds: [] };
      return (await findSections({ userId, runAnalysis, question, narrowing })).sections;
    },

    /** The passages for each of some queries of a model. */
    async passagesFor(
      queries: readonly string[],
      { languages, files }: Question,
      { userId, runAnalysis, narrowing }: Asked & { narrowing: Narrowing },
    ): Promise<RankedPassage[][]> {
      const questions = (await runAnalysis('analyse', { texts: queries, languages })).map(
        (question): Question => ({ ...question, files }),
      );
      const { lists } = await search(questions, { userId, runAnalysis, narrowing });
      return lists.map(quotable);
    },
  };
}

export type QuestionSearch = ReturnType<typeof createQuestionSearch>;
