import type { FileType } from '@engram/extraction';
import type { Preference, QuestionSubject } from '@engram/retrieval';
import type { SourceFile } from '../artifacts/library.repository.ts';

/** A preference for recommendations, from one answer to the questionnaire. */
export interface Wish {
  subjects?: readonly QuestionSubject[];
  fileTypes?: readonly FileType[];
  /** Keywords that the files have, in lower case. */
  keywords?: readonly string[];
  older?: boolean;
}

/** The subject of a question counts more than its file. */
const SUBJECT = 2;
const FILE = 1;

const isOf = ({ fileTypes = [], keywords = [], older = false }: Wish, file: SourceFile): boolean =>
  fileTypes.includes(file.fileType) ||
  file.keywords.some((keyword) => keywords.includes(keyword.toLowerCase())) ||
  (older && file.older);

/** Scores questions by the user's wishes; undefined without any. */
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
      (wish) =>
        (wish.subjects?.includes(question.subject) === true ? SUBJECT : 0) +
        (file && isOf(wish, file) ? FILE : 0),
    );
  };
}
