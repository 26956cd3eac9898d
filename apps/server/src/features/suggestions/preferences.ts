import type { FileType } from '@engram/extraction';
import type { Preference, QuestionSubject } from '@engram/retrieval';
import type { SourceFile } from '../artifacts/library.repository.ts';

/** A preference for recommendations, from one answer to the questionnaire. */
export interface UserPreference {
  subjects?: readonly QuestionSubject[];
  fileTypes?: readonly FileType[];
  /** Keywords of the files, in lower case. */
  keywords?: readonly string[];
  older?: boolean;
}

/** The subject of a question counts more than its file. */
const SUBJECT_SCORE = 2;
const FILE_SCORE = 1;

const matchesFile = (
  { fileTypes = [], keywords = [], older = false }: UserPreference,
  file: SourceFile,
): boolean =>
  fileTypes.includes(file.fileType) ||
  file.keywords.some((keyword) => keywords.includes(keyword.toLowerCase())) ||
  (older && file.older);

/** Scores questions by the user's preferences. Undefined without preferences. */
export function preferenceOf(
  preferences: readonly UserPreference[],
  files: readonly SourceFile[],
): Preference | undefined {
  if (preferences.length === 0) return undefined;
  const byId = new Map(files.map((file) => [file.id, file]));
  return (question) => {
    const file = byId.get(question.artifactId);
    const sum = (scoreOf: (preference: UserPreference) => number) =>
      preferences.reduce((total, preference) => total + scoreOf(preference), 0);
    return sum(
      (preference) =>
        (preference.subjects?.includes(question.subject) === true ? SUBJECT_SCORE : 0) +
        (file && matchesFile(preference, file) ? FILE_SCORE : 0),
    );
  };
}
