import {
  chunk,
  detectLanguage,
  type EarlierTurn,
  factsOf,
  indexTerms,
  isTypo,
  type LibraryDocument,
  type LibraryFile,
  correctTypos,
  type Passage,
  type Question,
  type RankedPassage,
  RELEVANCE_THRESHOLD,
  type Section,
  withRarity,
} from '../../../packages/retrieval/src/index.ts';
import {
  bestFiles,
  joinNearest,
  MAX_CHARACTERS,
} from '../../../apps/server/src/features/search/question-search.ts';
import {
  tasks,
  type UnderstoodQuestion,
} from '../../../apps/server/src/features/search/analysis/tasks.ts';
import { buildBm25 } from '../retrieval/bm25.ts';
import { nearestAmong, openEmbedder } from '../retrieval/meaning.ts';
import type { ReadFile } from './read.ts';

/** The time and time zone at which the questions are asked. */
const NOW = new Date('2024-12-31T12:00:00Z');
const TIME_ZONE = 'Europe/London';

/** Chunks that are reranked for each question. */
const CANDIDATES = 50;

export interface Asked {
  question: Question;
  /** The candidates in the order of the index. */
  passages: Passage[];
  /** Best first. */
  ranked: RankedPassage[];
  /** Best first. */
  sections: Section[];
  /** Whether the first section is relevant. */
  grounded: boolean;
}

interface PrivateLibrary {
  /** All chunks. */
  chunks: readonly Passage[];
  ask(text: string, before?: readonly EarlierTurn[]): Promise<Asked>;
}

/** The turns before a question of a set, if any. */
export const turnsBefore = ({ prev }: { prev?: string }): EarlierTurn[] =>
  prev === undefined ? [] : [{ question: prev, answer: '' }];

interface Row {
  terms: string;
  passage: Passage;
}

function rowsOf(files: readonly ReadFile[]): { rows: Row[]; languages: string[] } {
  const languages = new Map<string, number>();
  const rows = files.flatMap(({ name, ...document }): Row[] => {
    if (document.segments.length === 0) return [];
    const language = detectLanguage(document.text.slice(0, 6000));
    languages.set(language, (languages.get(language) ?? 0) + 1);
    return chunk(document).map((piece) => ({
      terms: indexTerms(piece, { fileName: name, keywords: [], language }),
      passage: { ...piece, artifactId: name, fileName: name, score: 0 },
    }));
  });
  const mostUsed = [...languages].sort(([, a], [, b]) => b - a).map(([language]) => language);
  return { rows, languages: mostUsed };
}

/**
 * The files as a library in memory, searched with the functions of the server's threads. BM25 over
 * the same terms replaces the index. ENGRAM_EMBEDDINGS=local:FOLDER adds vectors.
 */
export async function buildPrivateLibrary(files: readonly ReadFile[]): Promise<PrivateLibrary> {
  const { rows, languages } = rowsOf(files);
  const chunks = rows.map(({ passage }) => passage);
  const index = buildBm25(rows.map(({ terms }) => terms));
  const embed = await openEmbedder(process.env['ENGRAM_EMBEDDINGS']);
  const nearest = embed && (await nearestAmong(chunks, embed));
  const vocabulary = new Set(rows.flatMap(({ terms }) => terms.split(' ')));
  const names = known(files.map(({ name }) => ({ id: name, fileName: name })));
  const documents = files.map(({ name, text, segments }): LibraryDocument => ({
    artifactId: name,
    fileName: name,
    text,
    segments,
  }));
  const facts = known(
    documents.map(({ artifactId, fileName, ...document }): LibraryFile => {
      const language = detectLanguage(document.text.slice(0, 6000));
      return { artifactId, fileName, ...factsOf(document, { fileName, title: null, language }) };
    }),
  );

  async function find(question: Question): Promise<Passage[]> {
    const vector = await embed?.(question.text, 'query');
    const near = vector === undefined ? [] : (nearest?.(vector) ?? []);
    const scores = new Map<number, number>();
    for (const { term, weight } of [{ term: question.query, weight: 1 }, ...question.hints]) {
      for (const { position, score } of index.search(term, rows.length)) {
        scores.set(position, (scores.get(position) ?? 0) + weight * score);
      }
    }
    const byWords = [...scores].sort(([, a], [, b]) => b - a);
    const within = (only: readonly string[]): Passage[] => {
      const isIn = (id: string): boolean => only.length === 0 || only.includes(id);
      const hits = byWords.flatMap(([position, score]) => {
        const row = chunks[position];
        return row && isIn(row.artifactId) ? [{ row, score }] : [];
      });
      const meant = near.flatMap(({ similarity, ...row }) =>
        isIn(row.artifactId) ? [{ row, similarity }] : [],
      );
      return joinNearest(hits.slice(0, CANDIDATES), meant).map(({ row, ...found }) => ({
        ...row,
        ...found,
      }));
    };
    const meant = within(question.files.named);
    return meant.length > 0 ? meant : within([]);
  }

  const corrected = (question: Question, unfound: readonly string[]): Question => {
    const wrong = unfound.filter((term) => !vocabulary.has(term));
    const isLike = (term: string) => wrong.some((word) => isTypo(word, term));
    return correctTypos(question, wrong, [...vocabulary].filter(isLike));
  };

  function understand(text: string, turns: readonly EarlierTurn[]): UnderstoodQuestion {
    const options = { languages, names, timeZone: TIME_ZONE, now: NOW };
    const understood = tasks.read(text, turns, options);
    if (understood === null) throw new Error('The names of the files were not taken.');
    return understood;
  }

  return {
    chunks,
    async ask(text, before = []) {
      let { question } = understand(text, before);
      let passages = await find(question);
      const weigh = () => {
        question = withRarity(question, index.frequencies);
      };
      weigh();
      const rank = (reportUnfound: boolean) =>
        tasks.rank([{ question, passages }], reportUnfound, facts);
      let found = rank(true);
      if ('unfound' in found) {
        question = corrected(question, found.unfound[0] ?? []);
        passages = await find(question);
        weigh();
        found = rank(false);
      }
      const [ranked = []] = 'lists' in found ? found.lists : [];
      const best = new Set(bestFiles(ranked));
      const sections = tasks.sections({
        question,
        ranked,
        documents: documents.filter(
          ({ artifactId, text: own }) => best.has(artifactId) && own.length <= MAX_CHARACTERS,
        ),
        facts,
        limit: 10,
      });
      const grounded = (sections[0]?.relevance ?? 0) >= RELEVANCE_THRESHOLD;
      return { question, passages, ranked, sections, grounded };
    },
  };
}

/** The facts about all files that the server's threads load. */
function known(list: readonly unknown[]) {
  const text = JSON.stringify(list);
  const json = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(json).write(text);
  return { key: text, json };
}
