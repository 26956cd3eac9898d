import {
  type Answer,
  type AnswerOptions,
  analyzeQuestion,
  blendByMeaning,
  composeAnswer,
  composeComparison,
  composeFileList,
  composeParts,
  draftQuestions,
  type EarlierTurn,
  type FileListOptions,
  leansOnTalk,
  type LibraryDocument,
  type ListedFile,
  mayNameFiles,
  mergePassages,
  type PartOfQuestion,
  type Passage,
  preferOwn,
  type Question,
  type QuestionDraft,
  type RankedPassage,
  rankFollowUp,
  rankInScope,
  rankPassages,
  readQuestion,
  type Recommendation,
  recommendQuestions,
  type SelectedPassage,
  selectPassages,
  splitQuestion,
  standaloneQuestion,
  unfoundTerms,
} from '@engram/retrieval';
import type { KnownFiles } from '../../artifacts/known-files.ts';
import { factsFrom, nameIndexOf, tablesFrom } from './known-files.ts';
import { quotable } from './quotable.ts';
import { type StageTime, stopwatch } from './stopwatch.ts';

/** A question as it is searched for. */
export interface Understood {
  /** Made whole with what was asked before. */
  question: Question;
  /** Its parts where it asks for several things, else none. */
  parts: { asked: string; question: Question }[];
  /** Whether it needs what was said before it to be understood. */
  leans: boolean;
}

interface ToRead {
  text: string;
  /** What was asked and answered before, oldest first. */
  turns: readonly EarlierTurn[];
  /** Of the person's files: ISO 639-1, the most used first. */
  languages: readonly string[];
  /** The names of the person's files; null as long as nobody knows that they matter. */
  names: KnownFiles | null;
  timeZone: string;
  now: Date;
}

/** What a question says of files counts for its parts, unless they say something themselves. */
function inFilesOf(part: Question, { files }: Question): Question {
  const { named, uploaded, kinds } = part.files;
  const says = named.length > 0 || kinds.length > 0 || uploaded !== null;
  return says ? part : { ...part, files };
}

/** Makes a question whole and takes it apart; null where the names of the files have to be known. */
function read({ text, turns, names, ...options }: ToRead): Understood | null {
  const whole = standaloneQuestion(text, turns);
  const parts = splitQuestion(whole);
  if (names === null && [whole, ...parts.map((part) => part.text)].some(mayNameFiles)) return null;
  const index = names && nameIndexOf(names);
  const analyse = (asked: string) => readQuestion(asked, { ...options, names: index });
  const question = analyse(whole);
  return {
    question,
    leans: leansOnTalk(text, turns),
    parts:
      parts.length < 2
        ? []
        : parts.map((part) => ({
            asked: part.asked,
            question: inFilesOf(analyse(part.text), question),
          })),
  };
}

/** A question with the passages that were found for it. */
export interface Search {
  question: Question;
  passages: readonly Passage[];
}

interface ToRank {
  searches: readonly Search[];
  /** Whether words that nothing was found for are to be told, instead of ranking without them. */
  tellUnfound: boolean;
  /** What the answer before cites, for a question that follows up on it. */
  cited?: readonly { artifactId: string; start: number; end: number }[];
  /** A list of `LibraryFile`, by which one's own papers are told from manuals. */
  facts?: KnownFiles;
}

/** The terms of each search that no passage has. */
export interface Unfound {
  unfound: string[][];
}

/** The passages of each search, best first. */
export interface Ranked {
  lists: RankedPassage[][];
}

/** Ranks what was found; or tells the terms that no passage has, where there are such. */
function rank({ searches, tellUnfound, cited = [], facts }: ToRank): Ranked | Unfound {
  if (tellUnfound) {
    const unfound = searches.map(({ question, passages }) => unfoundTerms(question, passages));
    if (unfound.some((terms) => terms.length > 0)) return { unfound };
  }
  const lists = searches.map(({ question, passages }) => {
    const ranked = preferOwn(
      question,
      rankInScope(question, blendByMeaning(question, rankPassages(question, passages))),
      facts === undefined ? [] : factsFrom(facts),
    );
    return cited.length === 0 ? ranked : rankFollowUp(ranked, cited);
  });
  return { lists };
}

/** What answers may be made from beside the passages found. */
export interface Papers {
  /** The files of the best passages. */
  documents: readonly LibraryDocument[];
  /** A list of `LibraryFile`: what every file that may answer says of itself. */
  facts: KnownFiles;
  /** The ids of the files that may answer; null for all. */
  only: ReadonlySet<string> | null;
  /** Lists of `RecordTable`: the tables of the files found, the fields of all documents. */
  tables: readonly KnownFiles[];
  /** The ids of the files whose rows are meant; null for all. */
  tablesOf: ReadonlySet<string> | null;
  /** As YYYY-MM-DD. */
  today: string;
}

interface ToAnswer extends Ranked {
  /** The whole question, and its parts. */
  questions: readonly Question[];
  /** How the parts were asked. */
  asked: readonly string[];
  papers: Papers;
  /** Chunks that the person's files have in all. */
  librarySize: number;
  /** Questions recommended at most. */
  recommendations: number;
  /** Whether the passages that the answer rests on are to be selected. */
  explain: boolean;
  /** Whether the passages are handed back, for a model to answer from. */
  handBack: boolean;
}

/** What a question is answered with, by the sentences of the files themselves. */
export interface Thought {
  answer: Answer;
  recommendations: Recommendation[];
  /** What the answer rests on, where that was asked for. */
  selected: SelectedPassage[];
  /** All passages, best first, where they were asked for, and the parts of the question. */
  ranked: RankedPassage[];
  parts: PartOfQuestion[];
  times: StageTime[];
}

const materialFrom = ({ documents, facts, only, today, ...papers }: Papers): AnswerOptions => ({
  documents: new Map(documents.map((document) => [document.artifactId, document])),
  files: factsFrom(facts).filter(({ artifactId }) => only?.has(artifactId) ?? true),
  tables: papers.tables
    .flatMap(tablesFrom)
    .filter(({ artifactId }) => papers.tablesOf?.has(artifactId) ?? true),
  today,
});

function fromFiles(
  question: Question,
  parts: readonly PartOfQuestion[],
  passages: readonly RankedPassage[],
  options: AnswerOptions,
): Answer {
  if (parts.length > 1) {
    // 'Compare A and B' asks of two things, and is one question where they are files.
    const compared = composeComparison(question, passages, options);
    if (compared !== null) return compared;
    const answer = composeParts(parts, options);
    if (answer.grounded) return answer;
  }
  return composeAnswer(question, passages, options);
}

function answer({ lists, questions, papers, ...request }: ToAnswer): Thought {
  const [question] = questions;
  if (question === undefined) throw new Error('There is no question.');
  const watch = stopwatch();
  const ranked = lists.length === 1 ? (lists[0] ?? []) : mergePassages(lists);
  const parts = request.asked.map((asked, i): PartOfQuestion => ({
    asked,
    question: questions[i + 1] ?? question,
    passages: quotable(lists[i + 1] ?? []),
  }));
  const options = { ...materialFrom(papers), librarySize: request.librarySize };
  const composed = fromFiles(question, parts, quotable(ranked), options);
  watch.done('answer');
  const after = { ...request, question, ranked, answer: composed, used: ranked };
  const recommendations = recommendationsOf(after);
  watch.done('recommendations');
  const selected = selectedOf(after);
  if (request.explain) watch.done('explanation');
  return {
    answer: composed,
    recommendations,
    selected,
    ranked: request.handBack ? ranked : [],
    parts: request.handBack ? parts.map((part) => ({ ...part, passages: [] })) : [],
    times: watch.times,
  };
}

interface ToRecommend extends Pick<ToAnswer, 'recommendations' | 'explain'> {
  question: Question;
  ranked: readonly RankedPassage[];
  answer: Answer;
  /** What the answer was looked for in. */
  used: readonly RankedPassage[];
}

/** The most that an explanation answers of the files. */
const EXPLAINED = { passages: 5, characters: 5000 };

const recommendationsOf = (request: ToRecommend): Recommendation[] => {
  const { question, ranked, answer, recommendations } = request;
  return recommendations > 0 ? recommendQuestions(question, ranked, answer, recommendations) : [];
};

const selectedOf = ({ question, used, explain }: ToRecommend): SelectedPassage[] =>
  explain ? selectPassages(question, quotable(used), EXPLAINED) : [];

/** What comes with an answer that a model wrote. */
const recommend = (request: ToRecommend): Pick<Thought, 'recommendations' | 'selected'> => ({
  recommendations: recommendationsOf(request),
  selected: selectedOf(request),
});

const draft = (request: { files: readonly LibraryDocument[] }): QuestionDraft[] =>
  draftQuestions(request.files);

/** What threads do: pure functions over data that can be cloned. */
export const tasks = {
  read,
  analyse: (request: { texts: readonly string[]; languages: readonly string[] }): Question[] =>
    request.texts.map((text) => analyzeQuestion(text, request.languages)),
  rank,
  answer,
  recommend,
  draft,
  list: (request: { files: readonly ListedFile[]; options: FileListOptions }) =>
    composeFileList(request.files, request.options),
};

export type Tasks = typeof tasks;
export type TaskName = keyof Tasks;

/** What a thread is asked. */
export interface TaskCall<Name extends TaskName = TaskName> {
  name: Name;
  input: Parameters<Tasks[Name]>[0];
}
