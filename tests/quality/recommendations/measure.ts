import {
  chooseQuestions,
  draftQuestions,
  type LibraryDocument,
  type Recommendation,
  RELEVANCE_THRESHOLD,
  type Section,
} from '../../../packages/retrieval/src/index.ts';
import { buildPrivateLibrary } from '../private-library/library.ts';
import type { ReadFile } from '../private-library/read.ts';

/** The figures for the recommended questions of several libraries. */
export interface RecommendationFigures {
  libraries: number;
  /** Libraries with the requested number of questions. */
  full: number;
  /** The smallest number of questions of a library. */
  fewest: number;
  questions: number;
  /** Questions whose first section, when they are asked, is of the file they were made from. */
  answered: number;
  /** The largest share over all libraries of questions that begin with the same two words. */
  alike: number;
  /** Questions of the form 'What is X?' about a file name, or that only repeat their own words. */
  echoes: number;
  /** Files that have a question, of those that could. */
  files: number;
}

const WANTED = 6;

/** Characters of each file from which the server makes questions. */
const BEGINNING = 12_000;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

const beginningOf = ({ name, text, segments }: ReadFile): LibraryDocument => ({
  artifactId: name,
  fileName: name,
  text: text.slice(0, BEGINNING),
  segments: segments.filter(({ end }) => end <= BEGINNING),
});

/** The questions of one library, each tested as the server does. */
export const recommended = (
  files: readonly ReadFile[],
  ask: (question: string) => Promise<readonly Section[]>,
): Promise<Recommendation[]> =>
  chooseQuestions(draftQuestions(files.map(beginningOf)), {
    limit: WANTED,
    ask,
  });

/** 'What does X say about Crew list?' adds nothing to its words. */
const ECHO = /\b(?:say|says|said) about\b|\bsteht in\b.*\b(?:über|zum Thema)\b/iu;

/** Creates and asks the questions of all libraries. */
export async function measureRecommendations(
  libraries: readonly (readonly ReadFile[])[],
  tell: (question: string) => void,
): Promise<RecommendationFigures> {
  const figures = { full: 0, questions: 0, answered: 0, alike: 0, echoes: 0, files: 0 };
  let fewest = WANTED;
  for (const files of libraries) {
    const library = await buildPrivateLibrary(files);
    const ask = async (question: string): Promise<Section[]> =>
      (await library.ask(question)).sections;
    const found = await recommended(files, ask);
    const titles = new Set(files.map(({ name }) => plain(name.replace(/\.\w+$/u, ''))));
    const openings = new Map<string, number>();
    for (const { question, artifactId } of found) {
      tell(question);
      const [best] = await ask(question);
      const isFound = best !== undefined && best.relevance >= RELEVANCE_THRESHOLD;
      if (isFound && best.artifactId === artifactId) figures.answered += 1;
      const bare = plain(question).replace(/^(?:what|who) (?:is|are|was|were) (?:the |an? )?/u, '');
      if (titles.has(bare) || ECHO.test(question)) figures.echoes += 1;
      const opening = question.split(' ').slice(0, 2).join(' ').toLowerCase();
      openings.set(opening, (openings.get(opening) ?? 0) + 1);
    }
    figures.questions += found.length;
    figures.full += found.length === WANTED ? 1 : 0;
    figures.files += new Set(found.map(({ artifactId }) => artifactId)).size;
    figures.alike = Math.max(figures.alike, Math.max(0, ...openings.values()) / WANTED);
    fewest = Math.min(fewest, found.length);
  }
  return { libraries: libraries.length, fewest, ...figures };
}
