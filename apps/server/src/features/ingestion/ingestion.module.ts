import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Core } from '../../composition/core.ts';
import { freeHeap } from '../../platform/processes/free-memory.ts';
import { systemSeals } from '../../platform/processes/sealed-process.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import { createReadingAbilities } from './abilities.ts';
import { createExtractionPool } from './extraction-pool.ts';
import { createIndexing } from './indexing.ts';
import { createIngestionService } from './ingestion.service.ts';
import { createWantMeeting } from './meet-wants.ts';
import { createArtifactReader } from './read-artifact.ts';
import { createRecognitionLane } from './recognition-lane.ts';
import { createOcrLanguages } from './ocr-languages.ts';
import { createListening } from './short-recording.ts';
import { createPhotoDrawing, createThumbnails } from './thumbnails.ts';
import { createTranscription } from './transcription.ts';

/** Wall time for reading a file of up to 10 MB, in milliseconds. */
const READING_LIMIT_MS = 120_000;
/** Files after which a process is replaced, because parsers leak memory. */
const RECYCLE_AFTER = 500;
/** Time without a task after which a process ends, in milliseconds. */
const IDLE_MS = 60_000;
/** How long the server may delay freeing memory after readings, in milliseconds. */
const FREE_AFTER_MS = 10_000;

export function createIngestion(core: Core, deletion: Pick<ArtifactDeletion, 'deleteReplaced'>) {
  const { config, storage, providers, log } = core;
  const { backgroundYield, readingQueue } = storage;
  const processes = {
    memoryMb: config.workerMemoryMb,
    idleMs: IDLE_MS,
    scratch: path.join(config.dataDir, 'reading'),
    log,
  };
  // A crash may have left files there.
  rmSync(processes.scratch, { recursive: true, force: true });
  if (!systemSeals()) {
    log.info('Reading processes have no network by Node alone: see decision 005.');
  }
  const pool = createExtractionPool({
    ...processes,
    onIdle: () => void backgroundYield.yieldToRequests(FREE_AFTER_MS).then(freeHeap),
    size: Math.max(1, Math.min(config.workers, availableParallelism() - 1)),
    timeoutMs: READING_LIMIT_MS,
    recycleAfter: RECYCLE_AFTER,
  });
  const recognition = {
    ...processes,
    settings: {
      ocrData: config.ocrData ?? null,
      speechFolder: providers.transcriber.folder,
    },
  };
  const lane = createRecognitionLane(recognition);
  // Separate, so that a spoken question does not wait for a scanned book.
  const listeningLane = createRecognitionLane(recognition);
  // Separate, so that a user who opens a file does not wait for readings or for other users.
  const viewingLane = createRecognitionLane({ ...recognition, size: 2 });
  const meetWants = createWantMeeting({
    lane,
    transcription: createTranscription(providers, lane),
    describer: providers.describer,
  });
  const abilities = createReadingAbilities(config, providers);
  const reader = createArtifactReader(core, {
    pool,
    meetWants,
    abilities,
    ocrLanguages: createOcrLanguages(core),
  });
  const service = createIngestionService(core, {
    reader,
    thumbnails: createThumbnails(core, lane),
    deleteReplaced: deletion.deleteReplaced,
  });
  const indexing = createIndexing(core);

  return {
    pool,
    lane,
    listeningLane,
    viewingLane,
    indexing,
    giveUp: service.giveUp,
    /** A user's artifacts that are being read or indexed, or are queued. */
    underWay: async (userId: string) =>
      (await indexing.underWay(userId)).union(await readingQueue.underWay(userId)),
    transcribe: createListening(providers, listeningLane),
    renderPhoto: createPhotoDrawing(listeningLane, log),
    async close(): Promise<void> {
      await pool.close();
      await indexing.close();
      for (const each of [lane, listeningLane, viewingLane]) await each.close();
    },
  };
}

export type Ingestion = ReturnType<typeof createIngestion>;
