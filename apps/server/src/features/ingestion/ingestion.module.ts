import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Core } from '../../composition/core.ts';
import { freeHeap } from '../../platform/processes/free-memory.ts';
import { systemSeals } from '../../platform/processes/sealed-process.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import { recognitionAbilities } from './abilities.ts';
import { createExtractionPool } from './extraction-pool.ts';
import { createIndexing } from './indexing.ts';
import { createIngestionService } from './ingestion.service.ts';
import { createRecognition } from './recognize.ts';
import { createArtifactExtractor } from './extract-artifact.ts';
import { createRecognitionLane } from './recognition-lane.ts';
import { createOcrLanguages } from './ocr-languages.ts';
import { createQuestionTranscription } from './short-recording.ts';
import { createPhotoRenderer, createThumbnails } from './thumbnails.ts';
import { createTranscription } from './transcription.ts';

/** Wall time per 10 MB of a file, in milliseconds. */
const EXTRACTION_LIMIT_MS = 120_000;
/** Files after which a process is replaced, because parsers leak memory. */
const RECYCLE_AFTER = 500;
/** Idle time after which a process ends, in milliseconds. */
const IDLE_MS = 60_000;
/** Maximum delay before memory is freed after extractions, in milliseconds. */
const FREE_AFTER_MS = 10_000;

export function createIngestion(core: Core, deletion: Pick<ArtifactDeletion, 'deleteReplaced'>) {
  const { config, storage, providers, log } = core;
  const { backgroundYield, extractionQueue } = storage;
  const processes = {
    memoryMb: config.workerMemoryMb,
    idleMs: IDLE_MS,
    scratch: path.join(config.dataDir, 'reading'),
    log,
  };
  // A crash may have left temporary files.
  rmSync(processes.scratch, { recursive: true, force: true });
  if (!systemSeals()) {
    log.info(
      'Network access of extraction processes is blocked by Node only, not by the operating system. See decision 005.',
    );
  }
  const pool = createExtractionPool({
    ...processes,
    onIdle: () => void backgroundYield.yieldToRequests(FREE_AFTER_MS).then(freeHeap),
    size: Math.max(1, Math.min(config.workers, availableParallelism() - 1)),
    timeoutMs: EXTRACTION_LIMIT_MS,
    recycleAfter: RECYCLE_AFTER,
  });
  const recognitionOptions = {
    ...processes,
    settings: {
      ocrData: config.ocrData ?? null,
      speechFolder: providers.transcriber.folder,
    },
  };
  const lane = createRecognitionLane(recognitionOptions);
  // Separate, so that a spoken question does not wait for a scanned book.
  const interactiveLane = createRecognitionLane(recognitionOptions);
  // Separate, so that opening a file does not wait for background work or for other users.
  const viewLane = createRecognitionLane({ ...recognitionOptions, size: 2 });
  const recognize = createRecognition({
    lane,
    transcription: createTranscription(providers, lane),
    describer: providers.describer,
  });
  const abilities = recognitionAbilities(config, providers);
  const extractor = createArtifactExtractor(core, {
    pool,
    recognize,
    abilities,
    ocrLanguages: createOcrLanguages(core),
  });
  const service = createIngestionService(core, {
    extractor,
    thumbnails: createThumbnails(core, lane),
    deleteReplaced: deletion.deleteReplaced,
  });
  const indexing = createIndexing(core);

  return {
    pool,
    lane,
    interactiveLane,
    viewLane,
    indexing,
    fail: service.fail,
    /** Ids of a user's artifacts that are being extracted or indexed, or are queued. */
    unfinished: async (userId: string) =>
      (await indexing.unfinished(userId)).union(await extractionQueue.unfinished(userId)),
    transcribe: createQuestionTranscription(providers, interactiveLane),
    renderPhoto: createPhotoRenderer(interactiveLane, log),
    async close(): Promise<void> {
      await pool.close();
      await indexing.close();
      for (const { close } of [lane, interactiveLane, viewLane]) await close();
    },
  };
}

export type Ingestion = ReturnType<typeof createIngestion>;
