import {
  type EarlierTurn,
  type LibraryDocument,
  mergePassages,
  type Question,
  type RankedPassage,
  type SourceDocument,
} from '@engram/retrieval';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Library, Narrowing } from '../artifacts/library.ts';
import type { Conversation } from './conversation.ts';
import { createQuestionTurns } from './question-turns.ts';
import type { Retrieval, Retrieved } from './retrieval.ts';
import { quotable } from './thinking/quotable.ts';
import { type RelatedFile, relatedFiles } from './thinking/related-files.ts';
import type { Papers, Ranked, TaskCall, Thought, Understood, Unfound } from './thinking/tasks.ts';
import type { Think } from './thinking/thinking.ts';

export interface FindingDependencies {
  library: Pick<Library, 'languages' | 'names' | 'facts' | 'documents' | 'tables'>;
  retrieval: Retrieval;
  now: () => Date;
  /** Where days are counted: an IANA time zone. */
  timeZone: string;
  /** The day at a moment, as YYYY-MM-DD. */
  dayOf: (moment: Date) => string;
}

/** Files that are read whole for an answer, and the characters of the longest. */
const MOST_DOCUMENTS = 6;
export const MOST_CHARACTERS = 400_000;

/** The files of the best passages, best first. */
export function bestFiles(lists: Ranked['lists']): string[] {
  const ids = new Set<string>();
  for (const { artifactId } of mergePassages(lists))
    if (ids.size < MOST_DOCUMENTS) ids.add(artifactId);
  return [...ids];
}

/** Who asks, and what thinks about the question. */
interface Asked {
  userId: string;
  think: Think;
}

/** What is looked for. */
export interface LookingRequest extends Asked {
  understood: Understood;
  narrowing: Narrowing;
  cited: Conversation['cited'];
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

/** What was found: for the whole question and each of its parts, and the files of it all. */
export interface Looked extends Ranked {
  questions: Question[];
  /** The files of the passages, by id. */
  files: ReadonlyMap<string, NamedFile>;
}

/** What is wanted of an answer. */
export interface FindingRequest
  extends
    LookingRequest,
    Pick<TaskCall<'answer'>['input'], 'recommendations' | 'explain' | 'handBack'> {
  /** Chunks that the person's files have in all. */
  librarySize: Promise<number>;
}

/** The files that an answer may name. */
export interface Sources {
  related: RelatedFile[];
  /** The files of the passages, by id. */
  files: ReadonlyMap<string, NamedFile>;
}

export interface Found extends Thought, Sources {}

const ignore = (): void => undefined;

/** The passages of the whole question and its parts as one list, best first. */
export const merged = (lists: Ranked['lists']): RankedPassage[] =>
  lists.length === 1 ? (lists[0] ?? []) : mergePassages(lists);

const isUnfound = (told: object): told is Unfound => 'unfound' in told;

/** Has `rank` rank what was found; where it tells of terms that nothing has, they are looked for again. */
async function withRespelled<Ranked extends object>(
  found: readonly Retrieved[],
  rank: (found: readonly Retrieved[], tellUnfound: boolean) => Promise<Ranked | Unfound>,
): Promise<{ found: readonly Retrieved[]; ranked: Ranked }> {
  const first = await rank(found, true);
  if (!isUnfound(first)) return { found, ranked: first };
  const again = await Promise.all(
    found.map((one, i) => {
      const terms = first.unfound[i] ?? [];
      return terms.length === 0 ? one : one.respelled(terms);
    }),
  );
  return { found: again, ranked: (await rank(again, false)) as Ranked };
}

/** Reads questions, looks for their passages, and has both thought about. */
export function createFinding({ library, retrieval, now, timeZone, dayOf }: FindingDependencies) {
  /** What answers may be made from, beside what was found. */
  async function papersFor(
    userId: string,
    narrowing: Narrowing,
    { lists, questions }: Ranked & { questions: readonly Question[] },
  ): Promise<Papers> {
    const best = bestFiles(lists);
    const named = questions.flatMap(({ files }) => files.named);
    const [documents, facts, only, tables, tablesOf] = await Promise.all([
      library.documents(userId, best, MOST_CHARACTERS),
      library.facts(userId),
      retrieval.filesWithin(userId, narrowing),
      library.tables(userId, [...named, ...best]),
      retrieval.filesMeant(userId, narrowing, questions),
    ]);
    const names = new Map(lists.flat().map(({ artifactId, fileName }) => [artifactId, fileName]));
    return {
      documents: [...documents].map(([artifactId, document]): LibraryDocument => ({
        ...(document as SourceDocument),
        artifactId,
        fileName: names.get(artifactId) ?? '',
      })),
      facts,
      only,
      tables,
      tablesOf,
      today: dayOf(now()),
    };
  }

  /** Looks for a question and for its parts, all at once, and puts what was found best first. */
  async function look(request: LookingRequest): Promise<Looked> {
    const { userId, think, understood, narrowing, cited, done } = request;
    const asked = [understood.question, ...understood.parts.map((part) => part.question)];
    const [facts, ...looked] = await Promise.all([
      library.facts(userId),
      ...asked.map((question, i) =>
        retrieval.find(userId, { question, narrowing, done: i === 0 ? done : ignore }),
      ),
    ]);
    const { found, ranked } = await withRespelled<Ranked>(looked, (found, tellUnfound) =>
      think('rank', {
        searches: found.map(({ question, passages }) => ({ question, passages })),
        cited,
        tellUnfound,
        facts,
      }),
    );
    done('rank');
    return {
      lists: ranked.lists,
      questions: found.map(({ question }) => question),
      files: new Map(found.flatMap(({ files }) => [...files])),
    };
  }

  async function lookAndAnswer(request: FindingRequest): Promise<Found> {
    const { userId, think, narrowing, done, librarySize } = request;
    const { recommendations, explain, handBack } = request;
    const { parts } = request.understood;
    const { lists, questions, files } = await look(request);
    const sources = { related: relatedFiles(merged(lists)), files };
    const [size, papers] = await Promise.all([
      librarySize,
      papersFor(userId, narrowing, { lists, questions }),
    ]);
    done('papers');
    const thought = await think('answer', {
      recommendations,
      explain,
      handBack,
      lists,
      questions,
      asked: parts.map(({ asked }) => asked),
      papers,
      librarySize: size,
    });
    return { ...thought, ...sources };
  }

  return {
    /** Makes a question whole with what was asked before it, oldest first, and takes it apart. */
    async understand(
      text: string,
      { userId, think, turns }: Asked & { turns: readonly EarlierTurn[] },
    ): Promise<Understood> {
      const languages = await library.languages(userId);
      const request = { text, turns, languages, timeZone, now: now() };
      const understood =
        (await think('read', { ...request, names: null })) ??
        (await think('read', { ...request, names: await library.names(userId) }));
      if (understood === null) throw new Error('The names of the files were not taken.');
      return understood;
    },

    look,

    /** Looks for the whole question and for each of its parts, all at once, and answers it. */
    answer: lookAndAnswer,

    /** Does the looking for a question, and what goes beside it, when it is its turn. */
    inTurn: createQuestionTurns(),

    /** The passages for each of some words that a model would look for. */
    async passagesFor(
      queries: readonly string[],
      { languages, files }: Question,
      { userId, think, narrowing }: Asked & { narrowing: Narrowing },
    ): Promise<RankedPassage[][]> {
      const questions = (await think('analyse', { texts: queries, languages })).map(
        (question): Question => ({ ...question, files }),
      );
      const looked = await Promise.all(
        questions.map((question) => retrieval.find(userId, { question, narrowing, done: ignore })),
      );
      const { ranked } = await withRespelled<Ranked>(looked, (found, tellUnfound) =>
        think('rank', {
          searches: found.map(({ question, passages }) => ({ question, passages })),
          tellUnfound,
        }),
      );
      return ranked.lists.map(quotable);
    },
  };
}

export type Finding = ReturnType<typeof createFinding>;
