import type { Section } from '@engram/retrieval';
import type { Finding } from '../search/finding.ts';
import type { Thinking } from '../search/thinking/thinking.ts';

export interface QuestionAskerDependencies {
  finding: Finding;
  thinking: Pick<Thinking, 'forQuestion'>;
}

/** Finds the sections for a question as a search does, without storing anything. */
export function createQuestionAsker({ finding, thinking }: QuestionAskerDependencies) {
  return async (userId: string, text: string): Promise<Section[]> => {
    const think = thinking.forQuestion(userId);
    const { question } = await finding.understand(text, { userId, think, turns: [] });
    // A list of files is not an answer from one of them.
    if (question.files.list) return [];
    const narrowing = { keywords: [], artifactIds: [] };
    const request = { userId, think, question, narrowing, done: () => undefined };
    return (await finding.find(request)).sections;
  };
}
