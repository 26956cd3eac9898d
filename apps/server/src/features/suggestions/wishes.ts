import type { FileType } from '@engram/extraction';
import type { Preference, QuestionTraits, QuestionType } from '@engram/retrieval';
import type { SourceFile } from '../artifacts/subjects.repository.ts';

/** What a person would rather be recommended, by one thing that they said of themselves. */
export interface Wish {
  /** What kinds of things answer the questions. */
  types?: readonly QuestionType[];
  /** Whether questions are wished for that ask for all that there is of something. */
  broad?: boolean;
  /** Of which kinds the files are that answer them. */
  fileTypes?: readonly FileType[];
  /** Which of these keywords the files have, in lower case. */
  keywords?: readonly string[];
  /** Whether they are files of long ago. */
  older?: boolean;
}

/** What is asked for counts more than the file that it is asked of. */
const ASKED = 2;
const FILE = 1;

const asksFor = ({ types = [], broad = false }: Wish, question: QuestionTraits): boolean =>
  question.broad ? broad : types.includes(question.type);

const isOf = ({ fileTypes = [], keywords = [], older = false }: Wish, file: SourceFile): boolean =>
  fileTypes.includes(file.fileType) ||
  file.keywords.some((keyword) => keywords.includes(keyword.toLowerCase())) ||
  (older && file.older);

/** How much a question is wished for; undefined where nobody wishes for anything. */
export function preferenceOf(
  wishes: readonly Wish[],
  files: readonly SourceFile[],
): Preference | undefined {
  if (wishes.length === 0) return undefined;
  const byId = new Map(files.map((file) => [file.id, file]));
  return (question) => {
    const file = byId.get(question.artifactId);
    const sum = (of: (wish: Wish) => number) => wishes.reduce((all, wish) => all + of(wish), 0);
    return sum(
      (wish) => (asksFor(wish, question) ? ASKED : 0) + (file && isOf(wish, file) ? FILE : 0),
    );
  };
}
