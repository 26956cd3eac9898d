import {
  type Answer,
  chunk,
  detectLanguage,
  factsOf,
  indexTerms,
  isTypo,
  mendQuestion,
  recordsOf,
  shapeOf,
  type LibraryDocument,
  type LibraryFile,
  type Passage,
  type Question,
  type RankedPassage,
} from '../../../packages/retrieval/src/index.ts';
import { bestFiles, MOST_CHARACTERS } from '../../../apps/server/src/features/search/finding.ts';
import {
  type Ranked,
  tasks,
  type Understood,
} from '../../../apps/server/src/features/search/thinking/tasks.ts';
import { buildBm25 } from '../retrieval/bm25.ts';
import type { ReadFile } from './read.ts';

/** The instant at which the questions are asked, and where. */
const NOW = new Date('2024-12-31T12:00:00Z');
const TIME_ZONE = 'Europe/London';

/** Chunks that are looked at closely for each question. */
const CANDIDATES = 50;

/** An answer in the talk that a question may lean on. */
export interface Turn {
  question: string;
  answer: Answer;
}

export interface Asked {
  answer: Answer;
  question: Question;
  /** The passages found, best first. */
  ranked: RankedPassage[];
}

export interface PrivateLibrary {
  /** Chunks. */
  size: number;
  ask(text: string, before: readonly Turn[]): Asked;
  /** A question as it is searched for, and the passages that are found for it. */
  find(text: string, before: readonly Turn[]): { question: Question; passages: Passage[] };
}

/** The talk that a question of a set leans on; empty for one that stands alone. */
export const turnsBefore = (library: PrivateLibrary, { prev }: { prev?: string }): Turn[] =>
  prev === undefined ? [] : [{ question: prev, answer: library.ask(prev, []).answer }];

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
 * The files as a library in memory, asked by the very functions that the server's threads run; in
 * the place of its index stands BM25 over the same terms.
 */
export function buildPrivateLibrary(files: readonly ReadFile[]): PrivateLibrary {
  const { rows, languages } = rowsOf(files);
  const index = buildBm25(rows.map(({ terms }) => terms));
  const vocabulary = new Set(rows.flatMap(({ terms }) => terms.split(' ')));
  const names = known(files.map(({ name }) => ({ id: name, fileName: name })));
  const documents = files.map(({ name, text, segments }): LibraryDocument => ({
    artifactId: name,
    fileName: name,
    text,
    segments,
  }));
  const said = documents.map(({ artifactId, fileName, ...document }): LibraryFile => ({
    artifactId,
    fileName,
    ...factsOf(document, {
      fileName,
      title: null,
      language: detectLanguage(document.text.slice(0, 6000)),
    }),
  }));
  const facts = known(said);
  const kindOf = new Map(said.map(({ artifactId, kind }) => [artifactId, kind]));
  const tables = documents.flatMap(({ artifactId, fileName, ...document }) =>
    recordsOf(document, {
      artifactId,
      fileName,
      kind: kindOf.get(artifactId) ?? null,
      language: document.text === '' ? null : detectLanguage(document.text.slice(0, 6000)),
    }),
  );

  const fields = known(tables.filter((table) => table.fields));
  const own = Map.groupBy(
    tables.filter((table) => !table.fields),
    ({ artifactId }) => artifactId,
  );
  const tablesOf = new Map([...own].map(([id, list]) => [id, known(list)]));
  const shapesOf = new Map(
    [...own].map(([id, list]) => [
      id,
      new Set(list.map(shapeOf).filter((shape) => shape !== null)),
    ]),
  );
  /** The tables of some files, with those of others that have rows of the same kind. */
  const tablesFor = (ids: readonly string[]) => {
    const shapes = new Set(ids.flatMap((id) => [...(shapesOf.get(id) ?? [])]));
    const chosen = [...tablesOf].filter(
      ([id]) => ids.includes(id) || !shapes.isDisjointFrom(shapesOf.get(id) ?? new Set()),
    );
    return [fields, ...chosen.map(([, list]) => list)];
  };

  function find(question: Question): Passage[] {
    const { named } = question.files;
    const scores = new Map<number, number>();
    for (const { term, weight } of [{ term: question.query, weight: 1 }, ...question.hints]) {
      for (const { position, score } of index.search(term, rows.length)) {
        scores.set(position, (scores.get(position) ?? 0) + weight * score);
      }
    }
    const hits = [...scores].sort(([, a], [, b]) => b - a);
    const passages = (only: readonly string[]) =>
      hits
        .flatMap(([position, score]) => {
          const passage = rows[position]?.passage;
          const within = only.length === 0 || only.includes(passage?.artifactId ?? '');
          return passage && within ? [{ ...passage, score }] : [];
        })
        .slice(0, CANDIDATES);
    const within = passages(named);
    return within.length > 0 ? within : passages([]);
  }

  const mended = (question: Question, unfound: readonly string[]): Question => {
    const wrong = unfound.filter((term) => !vocabulary.has(term));
    const isLike = (term: string) => wrong.some((one) => isTypo(one, term));
    return mendQuestion(question, wrong, [...vocabulary].filter(isLike));
  };

  function understand(text: string, before: readonly Turn[]): Understood {
    const turns = before.map(({ question, answer }) => ({
      question,
      answer: answer.grounded ? answer.markdown : '',
    }));
    const understood = tasks.read({
      text,
      turns,
      languages,
      names,
      timeZone: TIME_ZONE,
      now: NOW,
    });
    if (understood === null) throw new Error('The names of the files were not taken.');
    return understood;
  }

  return {
    size: rows.length,
    find(text, before) {
      const { question } = understand(text, before);
      return { question, passages: find(question) };
    },
    ask(text, before) {
      const understood = understand(text, before);
      const asked = [understood.question, ...understood.parts.map(({ question }) => question)];
      const rank = (questions: readonly Question[], tellUnfound: boolean) =>
        tasks.rank({
          searches: questions.map((question) => ({ question, passages: find(question) })),
          cited: before.at(-1)?.answer.citations ?? [],
          tellUnfound,
          facts,
        });
      const first = rank(asked, true);
      const questions =
        'unfound' in first
          ? asked.map((question, i) => mended(question, first.unfound[i] ?? []))
          : asked;
      const { lists } = ('unfound' in first ? rank(questions, false) : first) as Ranked;
      const best = new Set(bestFiles(lists));
      const { named } = understood.question.files;
      const thought = tasks.answer({
        lists,
        questions,
        asked: understood.parts.map(({ asked }) => asked),
        papers: {
          documents: documents.filter(
            ({ artifactId, text }) => best.has(artifactId) && text.length <= MOST_CHARACTERS,
          ),
          facts,
          only: null,
          tables: tablesFor([...named, ...best]),
          tablesOf: named.length === 0 ? null : new Set(named),
          today: NOW.toISOString().slice(0, 10),
        },
        librarySize: rows.length,
        recommendations: 0,
        explain: false,
        handBack: true,
      });
      return {
        answer: thought.answer,
        question: questions[0] ?? understood.question,
        ranked: thought.ranked,
      };
    },
  };
}

/** What is known of all files as the server's threads read it. */
function known(list: readonly unknown[]) {
  const text = JSON.stringify(list);
  const json = new SharedArrayBuffer(Buffer.byteLength(text));
  Buffer.from(json).write(text);
  return { key: text, json };
}
