import { join } from 'node:path';
import {
  passageFeatures,
  type FeaturedPassage,
} from '../../../packages/retrieval/src/ranking/rank.ts';
import {
  hasFirstPerson,
  detectLanguage,
  factsOf,
  isOwnDocument,
  type Passage,
  type Question,
} from '../../../packages/retrieval/src/index.ts';
import { buildEverydayLibrary, loadFiles, loadQuestions } from '../everyday/library.ts';
import { folderOf, LIBRARIES } from '../own-libraries/measure.ts';
import { buildPrivateLibrary, turnsBefore } from '../private-library/library.ts';
import * as privateSet from '../private-library/questions.ts';
import { readFolders } from '../private-library/read.ts';
import { hasDataset, loadDataset } from '../retrieval/datasets.ts';
import { buildLibrary, type Library } from '../retrieval/library.ts';
import type { EmbedLibrary } from '../retrieval/meaning.ts';
import { holdsAnswer } from '../retrieval/metrics.ts';

/** The passages found for a question, each with its features. */
export interface Asked {
  question: Question;
  passages: readonly (FeaturedPassage & { isRight: boolean })[];
}

export interface QuestionSet {
  name: string;
  questions: readonly Asked[];
}

const askedOf = (
  question: Question,
  passages: readonly Passage[],
  isRight: (passage: Passage) => boolean,
  isOwn: (artifactId: string) => boolean = () => false,
): Asked => ({
  question,
  passages: passageFeatures(question, passages, { isOwn }).map((passage) => ({
    ...passage,
    isRight: isRight(passage.passage),
  })),
});

/** Of the thousands of SQuAD questions, every eighth is asked. */
const EVERY: Record<string, number> = { squad: 8 };

/** The passages found by words, joined with the nearest vectors if there is a model. */
async function finderOf(library: Library, name: string, embed: EmbedLibrary | null) {
  const { queries } = loadDataset(name);
  const chosen = queries.filter((_, i) => i % (EVERY[name] ?? 1) === 0);
  const nearest = await embed?.(library, chosen);
  const keyOf = ({ artifactId, ordinal }: Passage): string => `${artifactId}#${ordinal}`;
  return chosen.map((query) => {
    const { question, passages } = library.find(query.text);
    const near = new Map((nearest?.(query) ?? []).map((passage) => [keyOf(passage), passage]));
    const byWords = new Set(passages.map(keyOf));
    const joined = [
      ...passages.map((passage) => ({
        ...passage,
        ...(near.has(keyOf(passage)) ? { similarity: near.get(keyOf(passage))?.similarity } : {}),
      })),
      ...[...near.values()]
        .filter((passage) => !byWords.has(keyOf(passage)))
        .map((passage) => ({ ...passage, score: 0 })),
    ] as Passage[];
    return { query, question, passages: joined };
  });
}

async function datasetOf(name: string, embed: EmbedLibrary | null): Promise<Asked[]> {
  const dataset = loadDataset(name);
  const found = await finderOf(buildLibrary(dataset.documents), name, embed);
  return found.map(({ query, question, passages }) =>
    askedOf(question, passages, ({ artifactId, start, end, text }) => {
      if (query.references !== undefined)
        return query.references.some(
          (reference) =>
            reference.doc_id === artifactId && reference.start < end && start < reference.end,
        );
      const isRelevant = (dataset.grades.get(query.id)?.get(artifactId) ?? 0) > 0;
      return isRelevant && (name !== 'squad' || holdsAnswer(text, query.answers ?? []));
    }),
  );
}

/** The answerable questions of a private library, from the folder with its `questions.jsonl`. */
async function privateLibrary(folder: string, folders: readonly string[]): Promise<Asked[]> {
  const { files } = await readFolders(folders);
  const library = await buildPrivateLibrary(files);
  const ownFiles = new Set(
    files.flatMap(({ name, ...document }) => {
      const language = detectLanguage(document.text.slice(0, 6000));
      const { kind } = factsOf(document, { fileName: name, title: null, language });
      return isOwnDocument({ fileName: name, kind }) ? [name] : [];
    }),
  );
  const answerable = privateSet.loadQuestions(folder).filter(({ refuse }) => refuse !== true);
  const questions = answerable.map(async (asked): Promise<Asked> => {
    const { question, passages } = await library.ask(asked.q, turnsBefore(asked));
    const names = new Set(asked.file);
    const isRight = ({ fileName, text }: Passage): boolean =>
      names.has(fileName) && privateSet.contains(text, asked);
    const isOwn = (id: string): boolean => hasFirstPerson(question) && ownFiles.has(id);
    return askedOf(question, passages, isRight, isOwn);
  });
  return Promise.all(questions);
}

async function everyday(): Promise<Asked[]> {
  const library = buildEverydayLibrary(await loadFiles());
  const questions = [...loadQuestions('tuned'), ...loadQuestions('held-out')];
  return questions.flatMap(({ question: text, file, answers }): Asked[] => {
    if (file === '-') return [];
    const { question, passages } = library.find(text);
    const isRight = (passage: Passage): boolean =>
      passage.fileName === file && holdsAnswer(passage.text, answers);
    return [askedOf(question, passages, isRight)];
  });
}

/** Asks all question sets whose data is on this machine. */
export async function loadSets(embed: EmbedLibrary | null): Promise<QuestionSet[]> {
  const sets: QuestionSet[] = [];
  for (const name of ['squad', 'cranfield', 'chunking_eval', 'financebench'])
    if (hasDataset(name)) sets.push({ name, questions: await datasetOf(name, embed) });
  if (privateSet.FOLDERS.length > 0) {
    const questions = await privateLibrary(privateSet.SET, privateSet.FOLDERS);
    sets.push({ name: 'private library', questions });
  }
  const manuals = process.env['ENGRAM_QUALITY_MANUALS'];
  for (const name of LIBRARIES) {
    const folder = folderOf(name);
    const folders = [join(folder, 'files'), ...(manuals === undefined ? [] : [manuals])];
    sets.push({ name, questions: await privateLibrary(folder, folders) });
  }
  sets.push({ name: 'everyday', questions: await everyday() });
  return sets;
}
