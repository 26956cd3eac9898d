import {
  type Answer,
  analyzeQuestion,
  blendByMeaning,
  chunk,
  composeAnswer,
  composeFileList,
  composeParts,
  draftQuestions,
  type EarlierTurn,
  type FileListOptions,
  type ListedFile,
  mayNameFiles,
  mergePassages,
  type PartOfQuestion,
  type Passage,
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
  type SourceDocument,
  splitQuestion,
  standaloneQuestion,
  unfoundTerms,
} from '@engram/retrieval';
import type { KnownNames } from '../../artifacts/library.ts';
import { nameIndexOf } from './name-indexes.ts';
import { quotable } from './quotable.ts';
import { type RelatedFile, relatedFiles } from './related-files.ts';
import { type StageTime, stopwatch } from './stopwatch.ts';

/** A question as it is searched for. */
export interface Understood {
  /** Made whole with what was asked before. */
  question: Question;
  /** Its parts where it asks for several things, else none. */
  parts: { asked: string; question: Question }[];
}

interface ToRead {
  text: string;
  /** What was asked and answered before, oldest first. */
  turns: readonly EarlierTurn[];
  /** Of the person's files: ISO 639-1, the most used first. */
  languages: readonly string[];
  /** The names of the person's files; null as long as nobody knows that they matter. */
  names: KnownNames | null;
  timeZone: string;
  now: Date;
}

/** What a question says of files counts for its parts, unless they say something themselves. */
function inFilesOf(part: Question, { files }: Question): Question {
  const { named, hinted, uploaded, kinds } = part.files;
  const says = named.length > 0 || hinted.length > 0 || kinds.length > 0 || uploaded !== null;
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
}

/** The terms of each search that no passage has. */
export interface Unfound {
  unfound: string[][];
}

/** The passages of each search, best first; or the terms that no passage has, where there are such. */
function rank({ searches, tellUnfound }: ToRank): { lists: RankedPassage[][] } | Unfound {
  if (tellUnfound) {
    const unfound = searches.map(({ question, passages }) => unfoundTerms(question, passages));
    if (unfound.some((terms) => terms.length > 0)) return { unfound };
  }
  const lists = searches.map(({ question, passages }) =>
    rankInScope(question, blendByMeaning(question, rankPassages(question, passages))),
  );
  return { lists };
}

interface ToAnswer extends ToRank {
  /** How the parts were asked: they are the searches after the first. */
  asked: readonly string[];
  /** What the answer before cites, for a question that follows up on it. */
  cited: readonly { artifactId: string; start: number; end: number }[];
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
  related: RelatedFile[];
  recommendations: Recommendation[];
  /** What the answer rests on, where that was asked for. */
  selected: SelectedPassage[];
  /** All passages, best first, where they were asked for, and the parts of the question. */
  ranked: RankedPassage[];
  parts: PartOfQuestion[];
  times: StageTime[];
}

function fromSentences(
  question: Question,
  parts: readonly PartOfQuestion[],
  passages: readonly RankedPassage[],
  librarySize: number,
): Answer {
  if (parts.length > 1) {
    const answer = composeParts(parts, { librarySize });
    if (answer.grounded) return answer;
  }
  return composeAnswer(question, passages, { librarySize });
}

function answer({ cited, ...request }: ToAnswer): Thought | Unfound {
  const [search] = request.searches;
  if (search === undefined) throw new Error('There is no question.');
  const { question } = search;
  const watch = stopwatch();
  const found = rank(request);
  if ('unfound' in found) return found;
  const lists = found.lists.map((ranked) =>
    cited.length === 0 ? ranked : rankFollowUp(ranked, cited),
  );
  const ranked = lists.length === 1 ? (lists[0] ?? []) : mergePassages(lists);
  watch.done('rank');
  const parts = request.asked.map((asked, i): PartOfQuestion => ({
    asked,
    question: request.searches[i + 1]?.question ?? question,
    passages: quotable(lists[i + 1] ?? []),
  }));
  const composed = fromSentences(question, parts, quotable(ranked), request.librarySize);
  watch.done('answer');
  const after = { ...request, question, ranked, answer: composed, used: ranked };
  const recommendations = recommendationsOf(after);
  watch.done('recommendations');
  const selected = selectedOf(after);
  if (request.explain) watch.done('explanation');
  return {
    answer: composed,
    related: relatedFiles(ranked),
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

/** The beginning of a file that questions are made from. */
export interface DraftSource extends SourceDocument {
  artifactId: string;
  fileName: string;
}

/** @param chunks how many of each file are looked at */
function draft(request: { files: readonly DraftSource[]; chunks: number }): QuestionDraft[] {
  const passages = request.files.flatMap(({ artifactId, fileName, ...document }): Passage[] =>
    chunk(document)
      .slice(0, request.chunks)
      .map((piece) => ({ ...piece, artifactId, fileName, score: 1 })),
  );
  return draftQuestions(passages);
}

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
