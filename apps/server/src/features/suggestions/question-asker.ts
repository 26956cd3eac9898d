import { analyzeQuestion, type Answer, composeAnswer } from '@engram/retrieval';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Library } from '../artifacts/library.ts';
import type { Retrieval } from '../search/retrieval.ts';

export interface QuestionAskerDependencies {
  library: Pick<Library, 'languages'>;
  retrieval: Retrieval;
  index: Pick<SearchIndex, 'stats'>;
}

/** Asks a question of a person's files as searching does, with no model, and keeps nothing of it. */
export function createQuestionAsker({ library, retrieval, index }: QuestionAskerDependencies) {
  return async (userId: string, text: string): Promise<Answer> => {
    const question = analyzeQuestion(text, await library.languages(userId));
    const [{ ranked }, { mainRows, deltaRows }] = await Promise.all([
      retrieval.find(userId, { question, keywords: [], done: () => undefined }),
      index.stats(userId),
    ]);
    const quotable = ranked.filter((passage) => passage.text !== '');
    return composeAnswer(question, quotable, { librarySize: mainRows + deltaRows });
  };
}
