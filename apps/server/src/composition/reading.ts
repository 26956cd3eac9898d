import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createReadingsRepository } from '../features/artifacts/readings.repository.ts';
import { createReadingAbilities } from '../features/ingestion/abilities.ts';
import { createExtractionPool } from '../features/ingestion/extraction-pool.ts';
import { createFileViews } from '../features/artifacts/file-views.ts';
import type { ArtifactDeletion } from '../features/deletion/artifact-deletion.ts';
import { createIndexing } from '../features/ingestion/indexing.ts';
import { createIngestionService } from '../features/ingestion/ingestion.service.ts';
import { createWantMeeting } from '../features/ingestion/meet-wants.ts';
import { createPhotoDrawing } from '../features/ingestion/photos.ts';
import { createArtifactReader } from '../features/ingestion/read-artifact.ts';
import { createRecognitionLane } from '../features/ingestion/recognition-lane.ts';
import { createListening } from '../features/ingestion/short-recording.ts';
import { createThumbnails } from '../features/ingestion/thumbnails.ts';
import { createTranscription } from '../features/ingestion/transcription.ts';
import { freeHeap } from '../platform/processes/free-memory.ts';
import { systemSeals } from '../platform/processes/sealed-process.ts';
import type { Core } from './core.ts';

/** Wall time for reading a file of up to 10 MB, in milliseconds. */
const READING_LIMIT_MS = 120_000;

/** Files after which a reading process is replaced, so that what a parser leaks does not add up. */
const RECYCLE_AFTER = 500;

/** Time without a task after which a process ends, in milliseconds. */
const IDLE_MS = 60_000;

/** Waits at most until what readings have left in memory is freed, in milliseconds. */
const FREEING_PATIENCE_MS = 10_000;

/** How files become text: the reading processes, the recognition beside them, and their jobs. */
export function createReading(core: Core, deletion: Pick<ArtifactDeletion, 'deleteReplaced'>) {
  const { config, storage, log, now } = core;
  const { transcriber, describer, ffmpeg } = core.providers;
  const { database, files, index, jobs, backgroundYield, readingQueue, readAgain, libraryChanged } =
    storage;
  const processes = {
    memoryMb: config.workerMemoryMb,
    idleMs: IDLE_MS,
    scratch: path.join(config.dataDir, 'reading'),
    log,
  };
  // What a kill has left there.
  rmSync(processes.scratch, { recursive: true, force: true });
  if (!systemSeals())
    log.info('Reading processes have no network by Node alone: see decision 005.');
  const pool = createExtractionPool({
    ...processes,
    onIdle: () => void backgroundYield.yieldToRequests(FREEING_PATIENCE_MS).then(freeHeap),
    size: Math.max(1, Math.min(config.workers, availableParallelism() - 1)),
    timeoutMs: READING_LIMIT_MS,
    recycleAfter: RECYCLE_AFTER,
  });
  const recognition = {
    ...processes,
    settings: {
      ocrLanguages: config.ocrLanguages.split('+'),
      ocrData: config.ocrData ?? null,
      speechFolder: transcriber.folder,
    },
  };
  const lane = createRecognitionLane(recognition);
  // Of its own, so that somebody who speaks does not wait for a scanned book.
  const listeningLane = createRecognitionLane(recognition);
  // A user who opens a file does not wait for files that are read, nor for another user's.
  const viewingLane = createRecognitionLane({ ...recognition, size: 2 });
  const reader = createArtifactReader({
    files,
    pool,
    meetWants: createWantMeeting({
      lane,
      transcription: createTranscription({ lane, transcriber, ffmpeg }),
      describer,
    }),
    abilities: createReadingAbilities({ ocr: config.ocr, transcriber, describer }),
    now,
  });
  const artifacts = storage.artifactsRepository;
  const readings = createReadingsRepository(database, libraryChanged);
  const ingestion = createIngestionService({
    readings,
    yieldToRequests: backgroundYield.yieldToRequests,
    files,
    index,
    jobs,
    reader,
    thumbnails: createThumbnails({ artifacts, files, lane, ffmpeg, log }),
    log,
    now,
    readingQueue,
    deleteReplaced: deletion.deleteReplaced,
  });
  const indexing = createIndexing({ readings, index, jobs, log, now, readAgain });

  return {
    pool,
    lane,
    listeningLane,
    viewingLane,
    views: createFileViews({ artifacts, files, lane: viewingLane }),
    readings,
    ingestion,
    indexing,
    /** A user's artifacts that are being read or indexed, or are queued for it. */
    underWay: async (userId: string) =>
      (await indexing.underWay(userId)).union(await readingQueue.underWay(userId)),
    /** Writes down a short recording at once. */
    hear: createListening({ lane: listeningLane, transcriber, ffmpeg }),
    /** Makes a person's photo of what they sent, at once. */
    drawPhoto: createPhotoDrawing({ lane: listeningLane, log }),
  };
}

export type Reading = ReturnType<typeof createReading>;
