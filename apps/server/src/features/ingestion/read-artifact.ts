import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import type { Want } from '@engram/extraction';
import type { Core } from '../../composition/core.ts';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadingAbilities } from './abilities.ts';
import { ExtractionCrash, type ExtractionPool, type ReadDocument } from './extraction-pool.ts';
import { type Answer, type StoredAnswers, openStoredAnswers } from './answers.ts';
import type { OcrLanguages } from './ocr-languages.ts';
import type { MeetWants } from './meet-wants.ts';
import type { ReadingLane } from './reading-queue.ts';
import { createReadingProgress } from './reading-progress.ts';

interface ArtifactReading {
  artifact: ArtifactRow;
  signal: AbortSignal;
  /** Called with 0 to 100. */
  onProgress: (percent: number) => void;
}

interface SlowReading extends ArtifactReading {
  /** Whether a provider that is down is retried later. */
  mayWait: boolean;
  /** Rejects if the reading is no longer needed. */
  assertNeeded(): Promise<void>;
  /** Runs a task once there is memory for the file. */
  limitBytes<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Recognition may find that more is wanted, so it is repeated up to this number of rounds. */
const MAX_ROUNDS = 3;

const KINDS: readonly Want['kind'][] = ['page', 'transcript', 'caption'];

export const isTooSlow = (error: unknown): boolean =>
  error instanceof ExtractionCrash && error.code === 'timeout';

/** Reads stored files: first their own text, then what is recognized in them. */
export function createArtifactReader(
  { storage: { files, filePasswords }, now }: Core,
  {
    pool,
    meetWants,
    abilities,
    ocrLanguages,
  }: {
    pool: ExtractionPool;
    meetWants: MeetWants;
    abilities: ReadingAbilities;
    ocrLanguages: OcrLanguages;
  },
) {
  const met = (): Want['kind'][] => KINDS.filter((kind) => abilities()[kind].met);

  const isWhole = ({ wants }: ReadDocument): boolean => {
    const kinds = met();
    return !wants.some(({ kind }) => kinds.includes(kind));
  };

  const complete = (document: ReadDocument): ReadDocument => {
    const kinds = new Set(document.wants.map(({ kind }) => kind));
    const notes = [...kinds].flatMap((kind) => {
      const ability = abilities()[kind];
      return ability.met ? [] : (ability.note ?? []);
    });
    return { ...document, notes: [...document.notes, ...notes] };
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

  /** One reading with the answers so far. Returns only the wants if some of them can be met. */
  const readOnce = async (
    { artifact, signal }: ArtifactReading,
    lane: ReadingLane,
    filePath: string,
    onProgress: (percent: number) => void,
    made?: { stored: StoredAnswers; answers: readonly Answer[]; awaited: Want['kind'][] },
  ): Promise<ReadDocument> => {
    const { id: artifactId, userId, fileName, path, fileType: type, keywords } = artifact;
    const { answers = [], awaited = met() } = made ?? {};
    const file = { artifactId, userId, fileName, path, type, keywords, filePath };
    const passwords = await filePasswords.of(artifact);
    return files.withLocalFiles(made?.stored.keys() ?? [], (answerPaths) =>
      pool.extract(
        { ...file, passwords, answerPaths, answers, awaited },
        { lane, signal, onProgress },
      ),
    );
  };

  async function readSlowly(reading: SlowReading, filePath: string): Promise<ReadDocument> {
    const { artifact, signal, mayWait, assertNeeded, limitBytes } = reading;
    const stored = await openStoredAnswers(files, artifact);
    const progress = progressOf(reading, (artifact.progress * 100) / READING_SHARE);
    const { fileType: type, fileName } = artifact;
    const passwords = await filePasswords.of(artifact);
    const languages = await ocrLanguages(artifact.userId);
    let wanted = await stored.wanted();
    const answers: Answer[] = [];
    for (let round = 1; ; round += 1) {
      if (wanted) {
        const kinds = met();
        const passing = await meetWants({
          wants: wanted.wants.filter(({ kind }) => kinds.includes(kind)),
          durationMs: wanted.durationMs,
          file: { filePath, type, fileName, passwords },
          task: { group: artifact.userId, logFields: { artifactId: artifact.id }, signal },
          languages,
          stored,
          mayWait,
          assertNeeded,
          onProgress: progress.recognition,
        });
        answers.push(...passing);
      }
      const awaited = round < MAX_ROUNDS ? met() : [];
      const readIn = (lane: ReadingLane): Promise<ReadDocument> =>
        readOnce(reading, lane, filePath, progress.assembly, { stored, answers, awaited });
      const document = await limitBytes(() =>
        readIn('normal').catch((error: unknown) => {
          if (!isTooSlow(error)) throw error;
          return readIn('slow');
        }),
      );
      if (awaited.length === 0 || isWhole(document)) return complete(document);
      wanted = { wants: document.wants, durationMs: document.durationMs };
      await stored.saveWanted(wanted);
    }
  }

  return {
    /** Reads the own text of a file. Returns null if it wants recognition, as `readSlowly` does. */
    async readAtOnce(reading: ArtifactReading, lane: ReadingLane): Promise<ReadDocument | null> {
      const { artifact } = reading;
      const document = await withOriginal(artifact, (filePath) =>
        readOnce(reading, lane, filePath, progressOf(reading, 0).reading),
      );
      if (isWhole(document)) return complete(document);
      const stored = await openStoredAnswers(files, artifact);
      const { wants, durationMs } = document;
      await stored.saveWanted({ wants, durationMs });
      return null;
    },

    /** Meets the wants of a file, and reads it with the answers. */
    readSlowly: (reading: SlowReading): Promise<ReadDocument> =>
      withOriginal(reading.artifact, (filePath) => readSlowly(reading, filePath)),
  };
}

export type ArtifactReader = ReturnType<typeof createArtifactReader>;
