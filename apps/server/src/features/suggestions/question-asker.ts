import type { Section } from '@engram/retrieval';
import type { Finding } from '../search/finding.ts';
import type { AnalysisThreads } from '../search/analysis/analysis-threads.ts';

/** Finds the sections for a question as a search does, without storing anything. */
export function createQuestionAsker(
  finding: Finding,
  analysis: Pick<AnalysisThreads, 'forQuestion'>,
) {
  return async (userId: string, text: string): Promise<Section[]> => {
    const runAnalysis = analysis.forQuestion(userId);
    const { question } = await finding.understand(text, { userId, runAnalysis, turns: [] });
    // A list of files is not an answer from one of them.
    if (question.files.list) return [];
    const narrowing = { keywords: [], artifactIds: [] };
    const request = { userId, runAnalysis, question, narrowing, done: () => undefined };
    return (await finding.find(request)).sections;
  };
}
