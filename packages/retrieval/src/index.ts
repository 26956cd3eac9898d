export {
  composeFileList,
  type FileListOptions,
  type ListedFile,
  MAX_LISTED,
} from './answers/file-list.ts';
export { foundMarkdown, MAX_QUOTED, NO_ANSWER } from './answers/found-answer.ts';
export { escapeMarkdown } from './answers/markdown.ts';
export { chunk } from './chunk.ts';
export type * from './documents/document.ts';
export { factsOf } from './documents/facts.ts';
export { phrasesOf } from './documents/phrases.ts';
export { indexTerms } from './chunk.ts';
export type { FileKind } from './languages/language.ts';
export { type EarlierTurn, isFollowUp, withEarlierTerms } from './question/follow-up.ts';
export {
  analyzeQuestion,
  type Question,
  readQuestion,
  type TermFrequencies,
  withRarity,
} from './question/question.ts';
export { rankByDates } from './ranking/dates.ts';
export { mergePassages } from './ranking/rank.ts';
export { createFindNewer, preferNewer } from './ranking/newer.ts';
export { hasFirstPerson, isOwnDocument } from './ranking/rank.ts';
export { type RankedPassage, rankPassages, scoreShare } from './ranking/rank.ts';
export { RELEVANCE_THRESHOLD, relevanceOf } from './ranking/rank.ts';
export { MAX_RERANKED, rerankPassages } from './ranking/rank.ts';
export { type Section, type SectionOptions, sectionsOf } from './ranking/sections.ts';
export { isTypo, correctTypos, unfoundTerms } from './ranking/typos.ts';
export {
  draftQuestions,
  type QuestionDraft,
  type QuestionSubject,
  type Recommendation,
} from './recommendation/drafts.ts';
export {
  chooseQuestions,
  type Preference,
  type QuestionTraits,
  recommendQuestions,
  writtenDrafts,
} from './recommendation/recommend.ts';
export {
  askRecords,
  describeTables,
  type RecordQuery,
  type RowPlace,
} from './records/ask-records.ts';
export { recordsOf, shapeOf } from './records/records.ts';
export { dayAt, startOfDay } from './scope/calendar.ts';
export { createNameIndex, foldersOf, mayNameFiles } from './scope/names.ts';
export type { QuestionFiles } from './scope/scope.ts';
export { detectLanguage } from './text/languages.ts';
export { splitSentences } from './text/sentences.ts';
export { analyze } from './text/words.ts';
export type * from './types.ts';
export { createCitationVerifier } from './verification/citation-verifier.ts';
export { type Citable, type Evidence, UNVERIFIED, unverifiedIn } from './verification/evidence.ts';
