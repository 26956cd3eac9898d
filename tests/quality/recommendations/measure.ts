import { curateQuestions } from '../../../packages/retrieval/src/index.ts';
import type { Recommendation } from '../../../packages/retrieval/src/index.ts';
import type { EverydayLibrary } from '../everyday/library.ts';

/** What came of the recommended questions of several libraries. */
export interface RecommendationFigures {
  libraries: number;
  /** Libraries with as many questions as were wanted. */
  full: number;
  questions: number;
  /** Questions whose answer, asked again, cites the file they are of, first of all. */
  answered: number;
  /** Of all libraries the largest share of questions that begin with the same two words. */
  alike: number;
  /** Questions that name nothing but what a file is called. */
  titles: number;
  /** Files that questions are from, of those that could be. */
  files: number;
}

export const WANTED = 6;

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** The questions of one library, each asked before as the server does. */
export const recommended = (library: EverydayLibrary): Promise<Recommendation[]> =>
  curateQuestions(library.passages, {
    limit: WANTED,
    ask: (question) => Promise.resolve(library.ask(question).answer),
  });

/** Makes and asks the questions of all libraries. */
export async function measureRecommendations(
  libraries: readonly EverydayLibrary[],
  tell: (question: string) => void,
): Promise<RecommendationFigures> {
  const figures = { full: 0, questions: 0, answered: 0, alike: 0, titles: 0, files: 0 };
  for (const library of libraries) {
    const found = await recommended(library);
    const titles = new Set(library.files.map(({ name }) => plain(name.replace(/\.\w+$/u, ''))));
    const openings = new Map<string, number>();
    for (const { question, artifactId } of found) {
      tell(question);
      const { answer } = library.ask(question);
      if (answer.grounded && answer.citations[0]?.artifactId === artifactId) figures.answered += 1;
      const bare = plain(question).replace(/^(?:what|who) (?:is|are|was|were) (?:the |an? )?/u, '');
      if (titles.has(bare)) figures.titles += 1;
      const opening = question.split(' ').slice(0, 2).join(' ').toLowerCase();
      openings.set(opening, (openings.get(opening) ?? 0) + 1);
    }
    figures.questions += found.length;
    figures.full += found.length === WANTED ? 1 : 0;
    figures.files += new Set(found.map(({ artifactId }) => artifactId)).size;
    figures.alike = Math.max(figures.alike, Math.max(0, ...openings.values()) / WANTED);
  }
  return { libraries: libraries.length, ...figures };
}
