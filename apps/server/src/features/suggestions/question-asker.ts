import type { Answer } from '@engram/retrieval';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Finding } from '../search/finding.ts';
import type { Thinking } from '../search/thinking/thinking.ts';

export interface QuestionAskerDependencies {
  finding: Finding;
  thinking: Pick<Thinking, 'forQuestion'>;
  index: Pick<SearchIndex, 'size'>;
}

/** The answer to what is not asked. */
export const NOTHING: Answer = { markdown: '', citations: [], grounded: false };

/** Asks a question of a person's files as searching does, with no model, and keeps nothing of it. */
export function createQuestionAsker({ finding, thinking, index }: QuestionAskerDependencies) {
  return async (userId: string, text: string): Promise<Answer> => {
    const think = thinking.forQuestion(userId);
    const understood = await finding.understand(text, { userId, think, turns: [] });
    // A list of files answers nothing that stands in one.
    if (understood.question.files.list) return NOTHING;
    const { answer } = await finding.answer({
      userId,
      think,
      // What is asked of several things is looked for as it stands.
      understood: { ...understood, parts: [] },
      narrowing: { keywords: [], artifactIds: [] },
      cited: [],
      librarySize: index.size(userId),
      recommendations: 0,
      explain: false,
      handBack: false,
      done: () => undefined,
    });
    return answer;
  };
}
