import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import type { SupplementRequest } from '@engram/extraction';
import type { Core } from '../../composition/core.ts';
import { originalKey } from '../../platform/files/keys.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { RecognitionAbilities } from './abilities.ts';
import { ExtractionCrash, type ExtractionPool, type ExtractedDocument } from './extraction-pool.ts';
import { type Supplement, type StoredSupplements, openStoredSupplements } from './supplements.ts';
import type { createOcrLanguages } from './ocr-languages.ts';
import type { Recognize } from './recognize.ts';
import type { ExtractionLane } from './extraction-queue.ts';
import { createExtractionProgress } from './extraction-progress.ts';

interface ArtifactExtraction {
  artifact: ArtifactRow;
  signal: AbortSignal;
  /** Called with 0 to 100. */
  onProgress: (percent: number) => void;
}

interface ArtifactRecognition extends ArtifactExtraction {
  /** Whether the file is retried later if a provider is down. */
  mayWait: boolean;
  /** Rejects if the result is no longer needed. */
  assertNeeded(): Promise<void>;
  /** Runs a task once there is memory for the file. */
  limitBytes<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Results of recognition may lead to further requests, for up to this number of rounds. */
const MAX_ROUNDS = 3;

const KINDS: readonly SupplementRequest['kind'][] = ['page', 'transcript', 'caption'];

const noDataNote = (language: string): string =>
  `Text in pictures was read without ${language}, the language of most of your files, because its data is not installed on this server (ENGRAM_OCR_DATA).`;

export const isTooSlow = (error: unknown): boolean =>
  error instanceof ExtractionCrash && error.code === 'timeout';

/** Extracts stored files: first their own text, then the text that is recognized in them. */
export function createArtifactExtractor(
  { storage: { files, filePasswords }, now }: Core,
  {
    pool,
    recognize,
    abilities,
    ocrLanguages,
  }: {
    pool: ExtractionPool;
    recognize: Recognize;
    abilities: RecognitionAbilities;
    ocrLanguages: ReturnType<typeof createOcrLanguages>;
  },
) {
  const enabledKinds = KINDS.filter((kind) => abilities[kind].on);

  const isComplete = ({ requests }: ExtractedDocument): boolean =>
    !requests.some(({ kind }) => enabledKinds.includes(kind));

  const withAbilityNotes = (document: ExtractedDocument): ExtractedDocument => {
    const kinds = new Set(document.requests.map(({ kind }) => kind));
    const notes = [...kinds].flatMap((kind) => {
      const ability = abilities[kind];
      return ability.on ? [] : (ability.note ?? []);
    });
    return { ...document, notes: [...document.notes, ...notes] };
  };

  const progressOf = ({ artifact, onProgress }: ArtifactExtraction, from: number) =>
    createExtractionProgress(
      { mayNeedRecognition: fileTypeEntry(artifact.fileType).content === undefined, from },
      () => now().getTime(),
      onProgress,
    );

  const withOriginal = <Result>(
    { userId, id }: ArtifactRow,
    use: (filePath: string) => Promise<Result>,
  ): Promise<Result> =>
    files.withLocalFiles([originalKey(userId, id)], ([filePath = '']) => use(filePath));

  /** Extracts with the supplements so far. Returns only the requests if some can be fulfilled. */
  const extractOnce = async (
    { artifact, signal }: ArtifactExtraction,
    lane: ExtractionLane,
    filePath: string,
    onProgress: (percent: number) => void,
    recognized?: {
      stored: StoredSupplements;
      supplements: readonly Supplement[];
      awaited: SupplementRequest['kind'][];
    },
  ): Promise<ExtractedDocument> => {
    const { id: artifactId, userId, fileName, path, fileType: type, keywords } = artifact;
    const { supplements = [], awaited = enabledKinds } = recognized ?? {};
    const file = { artifactId, userId, fileName, path, type, keywords, filePath };
    const passwords = await filePasswords.of(artifact);
    return files.withLocalFiles(recognized?.stored.keys() ?? [], (supplementPaths) =>
      pool.extract(
        { ...file, passwords, supplementPaths, supplements, awaited },
        { lane, signal, onProgress },
      ),
    );
  };

  async function extractWithRecognition(
    target: ArtifactRecognition,
    filePath: string,
  ): Promise<ExtractedDocument> {
    const { artifact, signal, mayWait, assertNeeded, limitBytes } = target;
    const stored = await openStoredSupplements(files, artifact);
    const progress = progressOf(target, (artifact.progress * 100) / READING_SHARE);
    const { fileType: type, fileName } = artifact;
    const passwords = await filePasswords.of(artifact);
    const { languages, missing } = await ocrLanguages(artifact.userId);
    const notes = new Set<string>();
    let openRequests = await stored.requests();
    const supplements: Supplement[] = [];
    for (let round = 1; ; round += 1) {
      if (openRequests) {
        const requests = openRequests.requests.filter(({ kind }) => enabledKinds.includes(kind));
        if (missing && requests.some(({ kind }) => kind === 'page')) notes.add(noDataNote(missing));
        const unstored = await recognize({
          requests,
          durationMs: openRequests.durationMs,
          file: { filePath, type, fileName, passwords },
          task: { group: artifact.userId, logFields: { artifactId: artifact.id }, signal },
          languages,
          stored,
          mayWait,
          assertNeeded,
          onProgress: progress.recognition,
        });
        supplements.push(...unstored);
      }
      const awaited = round < MAX_ROUNDS ? enabledKinds : [];
      const extractIn = (lane: ExtractionLane): Promise<ExtractedDocument> =>
        extractOnce(target, lane, filePath, progress.finalExtraction, {
          stored,
          supplements,
          awaited,
        });
      const document = await limitBytes(() =>
        extractIn('normal').catch((error: unknown) => {
          if (!isTooSlow(error)) throw error;
          return extractIn('slow');
        }),
      );
      if (awaited.length === 0 || isComplete(document)) {
        const result = withAbilityNotes(document);
        return { ...result, notes: [...result.notes, ...notes] };
      }
      openRequests = { requests: document.requests, durationMs: document.durationMs };
      await stored.saveRequests(openRequests);
    }
  }

  return {
    /** Extracts the text of a file. Returns null if it needs {@link extractWithRecognition}. */
    async extractText(
      target: ArtifactExtraction,
      lane: ExtractionLane,
    ): Promise<ExtractedDocument | null> {
      const { artifact } = target;
      const document = await withOriginal(artifact, (filePath) =>
        extractOnce(target, lane, filePath, progressOf(target, 0).firstExtraction),
      );
      if (isComplete(document)) return withAbilityNotes(document);
      const stored = await openStoredSupplements(files, artifact);
      const { requests, durationMs } = document;
      await stored.saveRequests({ requests, durationMs });
      return null;
    },

    /** Fulfills the requests of a file, and extracts it with the results. */
    extractWithRecognition: (target: ArtifactRecognition): Promise<ExtractedDocument> =>
      withOriginal(target.artifact, (filePath) => extractWithRecognition(target, filePath)),
  };
}

export type ArtifactExtractor = ReturnType<typeof createArtifactExtractor>;
