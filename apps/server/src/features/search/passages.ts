import type { RankedPassage } from '@engram/retrieval';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Finding } from './finding.ts';
import { quotable } from './analysis/quotable.ts';
import { ThreadEnded } from '../../platform/threads/threads.ts';
import { type AnalysisThreads, TOO_LONG } from './analysis/analysis-threads.ts';

export interface PassageSearchDependencies {
  finding: Pick<Finding, 'understand' | 'findPassages' | 'inTurn'>;
  analysis: Pick<AnalysisThreads, 'forQuestion'>;
  /** Counts a question; throws where the plan does not allow another one. */
  countQuery: (userId: string) => Promise<void>;
}

export interface FoundPassages {
  /** Passages with a text, best first. */
  passages: RankedPassage[];
  /** Their files, by id. */
  files: ReadonlyMap<string, NamedFile>;
}

const tooLong = (error: unknown): never => {
  throw error instanceof ThreadEnded ? new HttpError(503, 'too_long', TOO_LONG) : error;
};

const ignore = (): void => undefined;

/** Finds passages as an answer's are found, up to where the answer would be thought about. */
export function createPassageSearch({
  finding,
  analysis,
  countQuery,
}: PassageSearchDependencies): (
  userId: string,
  text: string,
  keywords: readonly string[],
) => Promise<FoundPassages> {
  /**
   * It counts as a question: finding is most of the work of an answer without a model.
   * @throws HttpError 402 where the plan allows no question, 429 and 503 as for questions
   */
  return async (userId, text, keywords) => {
    const runAnalysis = analysis.forQuestion(userId);
    const look = async () => {
      const understood = await finding.understand(text, { userId, runAnalysis, turns: [] });
      const narrowing = { keywords, artifactIds: [] };
      const request = {
        userId,
        runAnalysis,
        question: understood.question,
        narrowing,
        done: ignore,
      };
      return finding.inTurn(userId, () =>
        Promise.all([finding.findPassages(request), countQuery(userId)]),
      );
    };
    const [{ ranked, files }] = await look().catch(tooLong);
    return { passages: quotable(ranked), files };
  };
}
