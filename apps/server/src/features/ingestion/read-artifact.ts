import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import type { Want } from '@engram/extraction';
import type { FileStore } from '../../platform/files/files.ts';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { WantAbility } from './abilities.ts';
import { ExtractionCrash, type ExtractionPool, type ReadDocument } from './extraction-pool.ts';
import { type KeptAnswers, openKeptAnswers } from './kept-answers.ts';
import type { MeetWants } from './meet-wants.ts';
import type { ReadingLane } from './reading-lanes.ts';
import { createReadingProgress } from './reading-progress.ts';
import type { Answer } from './supplements.ts';

export interface ArtifactReaderDependencies {
  files: FileStore;
  pool: ExtractionPool;
  meetWants: MeetWants;
  /** Which kinds of wants are met here. */
  abilities: () => Record<Want['kind'], WantAbility>;
  now: () => Date;
}

export interface ArtifactReading {
  artifact: ArtifactRow;
  signal: AbortSignal;
  /** Takes 0 to 100 as the reading goes on. */
  onProgress: (percent: number) => void;
}

export interface LaneReading extends ArtifactReading {
  lane: ReadingLane;
}

export interface SlowReading extends ArtifactReading {
  /** Whether providers that are down are to be waited for by another try. */
  mayWait: boolean;
  /** Rejects when nobody needs the reading any more. */
  assertNeeded(): Promise<void>;
  /** Runs a reading of the file when there is room for it. */
  spend<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Readings of one file that meet wants, at most: what is made may show that more is wanted. */
const MOST_ROUNDS = 3;

/** Whether a reading took longer than its lane allows. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof ExtractionCrash && error.code === 'timeout';

/** Reads stored files: at once what they say themselves, and slowly what is recognised in them. */
export function createArtifactReader(deps: ArtifactReaderDependencies) {
  const { files, pool, meetWants, abilities, now } = deps;

  const met = (): Want['kind'][] => {
    const kinds: Want['kind'][] = [];
    for (const [kind, ability] of Object.entries(abilities())) {
      if (ability.met) kinds.push(kind as Want['kind']);
    }
    return kinds;
  };

  const jobFor = (artifact: ArtifactRow) => ({
    userId: artifact.userId,
    fileName: artifact.fileName,
    path: artifact.path,
    type: artifact.fileType,
    keywords: artifact.keywords,
    artifactId: artifact.id,
  });

  /** Says once for each kind what nobody could make here. */
  const complete = (document: ReadDocument): ReadDocument => {
    const kinds = new Set(document.wants.map(({ kind }) => kind));
    const notes = [...document.notes];
    for (const kind of kinds) {
      const ability = abilities()[kind];
      if (!ability.met && ability.told !== null) notes.push(ability.told);
    }
    return { ...document, notes };
  };

  const progressOf = ({ artifact, onProgress }: ArtifactReading, from: number) =>
    createReadingProgress(
      { mayWant: fileTypeEntry(artifact.fileType).content === undefined, from },
      () => now().getTime(),
      onProgress,
    );

  const withOriginal = <Result>(
    { userId, id }: ArtifactRow,
    work: (filePath: string) => Promise<Result>,
  ): Promise<Result> =>
    files.withLocalFiles([originalKey(userId, id)], ([filePath = '']) => work(filePath));

  /** One reading with all that was made so far; only its wants, where some of them can be met. */
  const readOnce = (
    { artifact, signal, lane }: LaneReading,
    filePath: string,
    made: { kept: KeptAnswers; answers?: readonly Answer[]; awaited: Want['kind'][] } | null,
    onProgress: (percent: number) => void,
  ): Promise<ReadDocument> =>
    files.withLocalFiles(made?.kept.keys() ?? [], (answerPaths) =>
      pool.extract(
        {
          ...jobFor(artifact),
          filePath,
          answerPaths,
          answers: made?.answers ?? [],
          awaited: made?.awaited ?? met(),
        },
        { lane, signal, onProgress },
      ),
    );

  const isWhole = (document: ReadDocument): boolean => {
    const kinds = met();
    return !document.wants.some(({ kind }) => kinds.includes(kind));
  };

  async function readSlowly(reading: SlowReading, filePath: string): Promise<ReadDocument> {
    const { artifact, signal, mayWait, assertNeeded, spend } = reading;
    const kept = await openKeptAnswers(files, artifact);
    const progress = progressOf(reading, (artifact.progress * 100) / READING_SHARE);
    const { fileType: type, fileName } = artifact;
    let wanted = await kept.wanted();
    const answers: Answer[] = [];
    for (let round = 1; ; round += 1) {
      if (wanted) {
        const kinds = met();
        const passing = await meetWants({
          wants: wanted.wants.filter(({ kind }) => kinds.includes(kind)),
          durationMs: wanted.durationMs,
          file: { filePath, type, fileName },
          task: { group: artifact.userId, about: { artifactId: artifact.id }, signal },
          kept,
          mayWait,
          assertNeeded,
          onProgress: progress.recognition,
        });
        answers.push(...passing);
      }
      const awaited = round < MOST_ROUNDS ? met() : [];
      const made = { kept, answers, awaited };
      const readIn = (lane: ReadingLane): Promise<ReadDocument> =>
        readOnce({ ...reading, lane }, filePath, made, progress.assembly);
      const document = await spend(() =>
        readIn('normal').catch((error: unknown) => {
          if (!isTooSlow(error)) throw error;
          return readIn('slow');
        }),
      );
      if (awaited.length === 0 || isWhole(document)) return complete(document);
      wanted = { wants: document.wants, durationMs: document.durationMs };
      await kept.saveWanted(wanted);
    }
  }

  return {
    /**
     * Reads what a file says by itself.
     *
     * @returns null when it wants more than that, which {@link readSlowly} goes on with
     * @throws {ExtractionError | ExtractionCrash} the file cannot be read, or ended its reader
     */
    async readAtOnce(reading: LaneReading): Promise<ReadDocument | null> {
      const { artifact } = reading;
      const document = await withOriginal(artifact, (filePath) =>
        readOnce(reading, filePath, null, progressOf(reading, 0).reading),
      );
      if (isWhole(document)) return complete(document);
      const kept = await openKeptAnswers(files, artifact);
      const { wants, durationMs } = document;
      await kept.saveWanted({ wants, durationMs });
      return null;
    },

    /**
     * Has made what the file wants, page by page, and reads it with that.
     *
     * @throws {ModelUnavailable} a provider is down and worth another try
     * @throws {ExtractionError | ExtractionCrash} the file cannot be read, or ended its reader
     */
    readSlowly: (reading: SlowReading): Promise<ReadDocument> =>
      withOriginal(reading.artifact, (filePath) => readSlowly(reading, filePath)),
  };
}

export type ArtifactReader = ReturnType<typeof createArtifactReader>;
