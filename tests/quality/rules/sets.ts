import { questionMass, weighEvidence } from '../../../packages/retrieval/src/ranking/rank.ts';
import type { PassageEvidence } from '../../../packages/retrieval/src/ranking/evidence.ts';
import type { Passage, Question } from '../../../packages/retrieval/src/index.ts';
import { buildEverydayLibrary, loadFiles, loadQuestions } from '../everyday/library.ts';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import * as privateSet from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';
import { hasDataset, loadDataset } from '../retrieval/datasets.ts';
import type { EvalQuery } from '../retrieval/datasets.ts';
import { buildLibrary } from '../retrieval/library.ts';
import { holdsAnswer } from '../retrieval/metrics.ts';

/** What was found for a question, in the order of plain BM25. */
export interface Asked {
  mass: number;
  /** By the name of what is ranked: a file, or a passage where excerpts are asked for. */
  grades: ReadonlyMap<string, number>;
  found: readonly FoundPassage[];
}

export type FoundPassage = Pick<PassageEvidence, 'features' | 'context'> & {
  name: string;
  passage: Passage;
  /** Which of its sentences answer. */
  answers: readonly boolean[];
};

/** A set of questions; none where its data is not on this machine. */
export interface QuestionSet {
  name: string;
  /** Whether it tells which sentences answer. */
  hasAnswers: boolean;
  asked: readonly Asked[];
}

interface ToGather {
  question: Question;
  passages: readonly Passage[];
  grades: ReadonlyMap<string, number>;
  nameOf: (passage: Passage) => string;
  isAnswer: (passage: Passage, start: number, end: number) => boolean;
}

function gather({ question, passages, grades, nameOf, isAnswer }: ToGather): Asked {
  const found = weighEvidence(question, passages).map(
    ({ passage, analysis, features, context }): FoundPassage => ({
      name: nameOf(passage),
      passage,
      features,
      context,
      answers: analysis.sentences.map(({ start, end }) => isAnswer(passage, start, end)),
    }),
  );
  return { mass: questionMass(question), grades, found };
}

const fileOf = ({ artifactId }: Passage): string => artifactId;
const placeOf = ({ artifactId, ordinal }: Passage): string => `${artifactId}#${ordinal}`;

/** Whether a stretch of a passage is in one of the excerpts that were asked for. */
const isExcerpt =
  ({ references = [] }: EvalQuery) =>
  (passage: Passage, start: number, end: number): boolean =>
    references.some(
      (one) =>
        one.doc_id === passage.artifactId &&
        one.start < passage.start + end &&
        passage.start + start < one.end,
    );

/** Of squad's thousands every other question is asked. */
const EVERY: Record<string, number> = { squad: 2 };

function datasetOf(name: string): Asked[] {
  const dataset = loadDataset(name);
  const library = buildLibrary(dataset.documents);
  return dataset.queries.flatMap((query, i): Asked[] => {
    if (i % (EVERY[name] ?? 1) !== 0) return [];
    const { question, passages } = library.find(query.text);
    const excerpt = isExcerpt(query);
    if (query.references !== undefined) {
      const right = passages.filter((passage) => excerpt(passage, 0, passage.text.length));
      const grades = new Map(right.map((passage) => [placeOf(passage), 1]));
      return [gather({ question, passages, grades, nameOf: placeOf, isAnswer: excerpt })];
    }
    const grades = dataset.grades.get(query.id) ?? new Map<string, number>();
    const isAnswer = (passage: Passage, start: number, end: number): boolean =>
      name === 'squad' &&
      grades.has(passage.artifactId) &&
      holdsAnswer(passage.text.slice(start, end), query.answers ?? []);
    return [gather({ question, passages, grades, nameOf: fileOf, isAnswer })];
  });
}

async function privateLibrary(): Promise<Asked[]> {
  const { files } = await readFolders(privateSet.FOLDERS);
  const library = buildPrivateLibrary(files);
  return privateSet.loadQuestions().flatMap((asked): Asked[] => {
    if (asked.refuse === true || asked.file.length === 0) return [];
    const { question, passages } = library.find(asked.q, turnsBefore(library, asked));
    const grades = new Map(asked.file.map((name) => [name, 1]));
    const isAnswer = ({ artifactId, text }: Passage, start: number, end: number): boolean =>
      grades.has(artifactId) && privateSet.isRight(text.slice(start, end), asked);
    return [gather({ question, passages, grades, nameOf: fileOf, isAnswer })];
  });
}

async function everyday(): Promise<Asked[]> {
  const library = buildEverydayLibrary(await loadFiles());
  const questions = [...loadQuestions('tuned'), ...loadQuestions('held-out')];
  return questions.flatMap(({ question: text, file, answers }): Asked[] => {
    if (file === '-') return [];
    const { question, passages } = library.find(text);
    const isAnswer = ({ fileName, text: said }: Passage, start: number, end: number): boolean =>
      fileName === file && holdsAnswer(said.slice(start, end), answers);
    const nameOf = ({ fileName }: Passage): string => fileName;
    return [gather({ question, passages, grades: new Map([[file, 1]]), nameOf, isAnswer })];
  });
}

/** Asks all sets that are on this machine; of the others it tells the name alone. */
export async function loadSets(): Promise<QuestionSet[]> {
  const sets: QuestionSet[] = ['squad', 'cranfield', 'chunking_eval', 'financebench'].map(
    (name) => ({
      name,
      hasAnswers: name === 'squad' || name === 'chunking_eval',
      asked: hasDataset(name) ? datasetOf(name) : [],
    }),
  );
  const isHere = privateSet.FOLDERS.length > 0;
  const papers = isHere ? await privateLibrary() : [];
  sets.push({ name: 'private library', hasAnswers: true, asked: papers });
  sets.push({ name: 'everyday', hasAnswers: true, asked: await everyday() });
  return sets;
}
