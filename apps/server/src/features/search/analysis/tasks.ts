import {
  analyzeQuestion,
  asksOfOwn,
  composeFileList,
  createFindNewer,
  draftQuestions,
  type EarlierTurn,
  type FileListOptions,
  isFollowUp,
  isOwnDocument,
  type LibraryDocument,
  type LibraryFile,
  type ListedFile,
  mayNameFiles,
  type Passage,
  preferNewer,
  type Question,
  type QuestionDraft,
  type RankedPassage,
  rankByDates,
  rankPassages,
  readQuestion,
  type Recommendation,
  recommendQuestions,
  rerankPassages,
  type Section,
  sectionsOf,
  unfoundTerms,
  withEarlierTerms,
} from '@engram/retrieval';
import type { KnownFiles } from '../../artifacts/library-cache.ts';
import { factsFrom, nameIndexOf } from './known-files.ts';
import { quotable } from './quotable.ts';

/** A question as it is searched for. */
export interface Understood {
  /** With the terms of the question that it follows up on. */
  question: Question;
  /** Whether it needs an earlier question to be understood. */
  followsUp: boolean;
}

interface ToRead {
  text: string;
  /** What was asked and answered before, oldest first. */
  turns: readonly EarlierTurn[];
  /** Of the user's files: ISO 639-1, the most used first. */
  languages: readonly string[];
  /** The names of the user's files; null until it is known that they matter. */
  names: KnownFiles | null;
  timeZone: string;
  now: Date;
}

/** Analyses a question; null where the names of the files are needed. */
function read({ text, turns, names, ...options }: ToRead): Understood | null {
  const asked = [text, ...turns.map((turn) => turn.question)];
  if (names === null && asked.some(mayNameFiles)) return null;
  const index = names && nameIndexOf(names);
  const analyse = (one: string, before: readonly EarlierTurn[]): Question => {
    const question = readQuestion(one, { ...options, names: index });
    const last = before.at(-1);
    return last !== undefined && isFollowUp(one, before)
      ? withEarlierTerms(question, analyse(last.question, before.slice(0, -1)))
      : question;
  };
  return { question: analyse(text, turns), followsUp: isFollowUp(text, turns) };
}

/** A question with the passages that were found for it. */
export interface Search {
  question: Question;
  passages: readonly Passage[];
}

interface ToRank {
  searches: readonly Search[];
  /** Whether to report terms that no passage has, instead of ranking without them. */
  reportUnfound: boolean;
  /** A list of `LibraryFile`. */
  facts: KnownFiles;
}

/** The terms of each search that no passage has. */
export interface Unfound {
  unfound: string[][];
}

/** The passages of each search, best first. */
export interface Ranked {
  lists: RankedPassage[][];
}

function rank({ searches, reportUnfound, facts }: ToRank): Ranked | Unfound {
  if (reportUnfound) {
    const unfound = searches.map(({ question, passages }) => unfoundTerms(question, passages));
    if (unfound.some((terms) => terms.length > 0)) return { unfound };
  }
  const files = factsFrom(facts);
  const findNewer = createFindNewer(files);
  const ownDocuments = new Set(
    searches.some(({ question }) => asksOfOwn(question))
      ? files.filter(isOwnDocument).map(({ artifactId }) => artifactId)
      : [],
  );
  const lists = searches.map(({ question, passages }) => {
    const isOwn = (id: string): boolean => asksOfOwn(question) && ownDocuments.has(id);
    const ranked = rankByDates(question, rankPassages(question, passages, { isOwn }));
    return preferNewer(ranked, findNewer);
  });
  return { lists };
}

interface ToRerank {
  /** Best first. */
  ranked: readonly RankedPassage[];
  /** The logits of a reranker for the first passages. */
  logits: readonly number[];
  /** A list of `LibraryFile`. */
  facts: KnownFiles;
}

const rerank = ({ ranked, logits, facts }: ToRerank): RankedPassage[] =>
  preferNewer(rerankPassages(ranked, logits), createFindNewer(factsFrom(facts)));

/** A section with the newest document that amends or replaces its file. */
export interface SectionWithNewer extends Section {
  newer: Pick<LibraryFile, 'artifactId' | 'fileName' | 'title' | 'date'> | null;
}

interface ToSection {
  question: Question;
  ranked: readonly RankedPassage[];
  /** The files of the best passages. */
  documents: readonly LibraryDocument[];
  /** A list of `LibraryFile`. */
  facts: KnownFiles;
  /** Maximum number of sections. */
  limit: number;
}

function sections({ question, ranked, documents, facts, limit }: ToSection): SectionWithNewer[] {
  const findNewer = createFindNewer(factsFrom(facts));
  const byId = new Map(documents.map((document) => [document.artifactId, document]));
  return sectionsOf(question, quotable(ranked), { documents: byId, limit }).map((section) => {
    const [newest] = findNewer(section.artifactId).toSorted((a, b) =>
      (b.date ?? '').localeCompare(a.date ?? ''),
    );
    if (newest === undefined) return { ...section, newer: null };
    const { artifactId, fileName, title, date } = newest;
    return { ...section, newer: { artifactId, fileName, title, date } };
  });
}

interface ToRecommend {
  question: Question;
  ranked: readonly RankedPassage[];
  /** What the answer cites. */
  cited: readonly { artifactId: string; start: number; end: number }[];
  /** Maximum number of questions. */
  limit: number;
}

const recommend = ({ question, ranked, cited, limit }: ToRecommend): Recommendation[] =>
  recommendQuestions(question, ranked, cited, limit);

const draft = (request: { files: readonly LibraryDocument[] }): QuestionDraft[] =>
  draftQuestions(request.files);

/** What worker threads run: pure functions over data that can be cloned. */
export const tasks = {
  read,
  analyse: (request: { texts: readonly string[]; languages: readonly string[] }): Question[] =>
    request.texts.map((text) => analyzeQuestion(text, request.languages)),
  rank,
  rerank,
  sections,
  recommend,
  draft,
  list: (request: { files: readonly ListedFile[]; options: FileListOptions }) =>
    composeFileList(request.files, request.options),
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;

/** A call of a task. */
export interface TaskCall<Name extends TaskName = TaskName> {
  name: Name;
  input: Parameters<Tasks[Name]>[0];
}
