import type { EarlierTurn, Question, RankedPassage } from '@engram/retrieval';
import type { NamedFile } from '../artifacts/artifacts.repository.ts';
import type { Library } from '../artifacts/library.ts';
import type { Conversation } from './conversation.ts';
import { createQuestionTurns } from './question-turns.ts';
import type { Retrieval, Retrieved } from './retrieval.ts';
import { quotable } from './thinking/quotable.ts';
import type { TaskCall, Thought, Understood, Unfound } from './thinking/tasks.ts';
import type { Think } from './thinking/thinking.ts';

export interface FindingDependencies {
  library: Pick<Library, 'languages' | 'names'>;
  retrieval: Retrieval;
  now: () => Date;
  /** Where days are counted: an IANA time zone. */
  timeZone: string;
}

/** Who asks, and what thinks about the question. */
interface Asked {
  userId: string;
  think: Think;
}

/** What is wanted of an answer. */
export interface FindingRequest
  extends Asked, Pick<TaskCall<'answer'>['input'], 'recommendations' | 'explain' | 'handBack'> {
  understood: Understood;
  /** Only files with one of these; none mean all files. */
  keywords: readonly string[];
  cited: Conversation['cited'];
  /** Chunks that the person's files have in all. */
  librarySize: Promise<number>;
  /** Called when a stage has ended. */
  done: (stage: string) => void;
}

export interface Found extends Thought {
  /** The files of the passages, by id. */
  files: ReadonlyMap<string, NamedFile>;
}

const ignore = (): void => undefined;

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
export function createFinding({ library, retrieval, now, timeZone }: FindingDependencies) {
  async function lookAndAnswer({
    userId,
    think,
    understood,
    ...request
  }: FindingRequest): Promise<Found> {
    const { keywords, done, librarySize, ...wanted } = request;
    const { parts } = understood;
    const questions = [understood.question, ...parts.map((part) => part.question)];
    const [size, ...looked] = await Promise.all([
      librarySize,
      ...questions.map((question, i) =>
        retrieval.find(userId, { question, keywords, done: i === 0 ? done : ignore }),
      ),
    ]);
    const { found, ranked } = await withRespelled<Thought>(looked, (found, tellUnfound) =>
      think('answer', {
        ...wanted,
        searches: found.map(({ passages }, i) => ({
          question: questions[i] ?? understood.question,
          passages,
        })),
        asked: parts.map(({ asked }) => asked),
        librarySize: size,
        tellUnfound,
      }),
    );
    return { ...ranked, files: new Map(found.flatMap(({ files }) => [...files])) };
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

    /** Looks for the whole question and for each of its parts, all at once, and answers it. */
    answer: lookAndAnswer,

    /** Does the looking for a question, and what goes beside it, when it is its turn. */
    inTurn: createQuestionTurns(),

    /** The passages for each of some words that a model would look for. */
    async passagesFor(
      queries: readonly string[],
      { languages, files }: Question,
      { userId, think, keywords }: Asked & { keywords: readonly string[] },
    ): Promise<RankedPassage[][]> {
      const questions = (await think('analyse', { texts: queries, languages })).map(
        (question): Question => ({ ...question, files }),
      );
      const looked = await Promise.all(
        questions.map((question) => retrieval.find(userId, { question, keywords, done: ignore })),
      );
      const { ranked } = await withRespelled<{ lists: RankedPassage[][] }>(
        looked,
        (found, tellUnfound) =>
          think('rank', {
            searches: questions.map((question, i) => ({
              question,
              passages: found[i]?.passages ?? [],
            })),
            tellUnfound,
          }),
      );
      return ranked.lists.map(quotable);
    },
  };
}

export type Finding = ReturnType<typeof createFinding>;
