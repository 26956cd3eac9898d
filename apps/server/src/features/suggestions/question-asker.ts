import { type Answer, composeAnswer, mayNameFiles, readQuestion } from '@engram/retrieval';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import type { Library } from '../artifacts/library.ts';
import type { Retrieval } from '../search/retrieval.ts';

export interface QuestionAskerDependencies {
  library: Pick<Library, 'languages' | 'names'>;
  retrieval: Retrieval;
  index: Pick<SearchIndex, 'stats'>;
  now: () => Date;
  /** Where days are counted: an IANA time zone. */
  timeZone: string;
}

/** Asks a question of a person's files as searching does, with no model, and keeps nothing of it. */
export function createQuestionAsker({
  library,
  retrieval,
  index,
  now,
  timeZone,
}: QuestionAskerDependencies) {
  return async (userId: string, text: string): Promise<Answer> => {
    const [languages, names] = await Promise.all([
      library.languages(userId),
      mayNameFiles(text) ? library.names(userId) : null,
    ]);
    const question = readQuestion(text, { languages, names, timeZone, now: now() });
    // A list of files answers nothing that stands in one.
    if (question.files.list) return { markdown: '', citations: [], grounded: false };
    const [{ ranked }, { mainRows, deltaRows }] = await Promise.all([
      retrieval.find(userId, { question, keywords: [], done: () => undefined }),
      index.stats(userId),
    ]);
    const quotable = ranked.filter((passage) => passage.text !== '');
    return composeAnswer(question, quotable, { librarySize: mainRows + deltaRows });
  };
}
