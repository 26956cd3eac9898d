import { availableParallelism } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createReadingsRepository } from '../features/artifacts/readings.repository.ts';
import { createReadingAbilities } from '../features/ingestion/abilities.ts';
import { createExtractionPool } from '../features/ingestion/extraction-pool.ts';
import { createIngestionService } from '../features/ingestion/ingestion.service.ts';
import { createWantMeeting } from '../features/ingestion/meet-wants.ts';
import { createPhotoDrawing } from '../features/ingestion/photos.ts';
import { createArtifactReader } from '../features/ingestion/read-artifact.ts';
import { createRecognitionLane } from '../features/ingestion/recognition-lane.ts';
import { createListening } from '../features/ingestion/short-recording.ts';
import { createThumbnails } from '../features/ingestion/thumbnails.ts';
import { createTranscription } from '../features/ingestion/transcription.ts';
import type { Providers } from './providers.ts';
import type { Storage } from './storage.ts';

/** Wall time for reading a file of up to 10 MB, in milliseconds. */
const READING_LIMIT_MS = 120_000;

/** Files after which a reading process is replaced, so that what a parser leaks does not add up. */
const RECYCLE_AFTER = 500;

/** Time without a task after which the process of the recognition ends, in milliseconds. */
const RECOGNITION_IDLE_MS = 60_000;

export interface ReadingOptions {
  log: FastifyBaseLogger;
  now: () => Date;
  /** Whether the reading processes start before the first file comes. */
  warmUp: boolean;
}

/** How files become text: the reading processes, the recognition beside them, and their jobs. */
export function createReading(
  config: Config,
  storage: Storage,
  { transcriber, describer, ffmpeg }: Providers,
  { log, now, warmUp }: ReadingOptions,
) {
  const { database, files, index, jobs, courtesy, libraryChanged } = storage;
  const pool = createExtractionPool({
    size: Math.max(1, Math.min(config.workers, availableParallelism() - 1)),
    memoryMb: config.workerMemoryMb,
    timeoutMs: READING_LIMIT_MS,
    recycleAfter: RECYCLE_AFTER,
    lazy: !warmUp,
    log,
  });
  const recognition = {
    memoryMb: config.workerMemoryMb,
    idleMs: RECOGNITION_IDLE_MS,
    settings: {
      ocrLanguages: config.ocrLanguages.split('+'),
      ocrData: config.ocrData ?? null,
      speechFolder: transcriber.folder,
    },
    log,
  };
  const lane = createRecognitionLane(recognition);
  // Of its own, so that somebody who speaks does not wait for a scanned book.
  const listeningLane = createRecognitionLane(recognition);
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
  const ingestion = createIngestionService({
    readings: createReadingsRepository(database),
    stepBack: courtesy.stepBack,
    files,
    index,
    jobs,
    reader,
    thumbnails: createThumbnails({ artifacts, files, lane, ffmpeg, log }),
    log,
    now,
    libraryChanged,
  });

  return {
    pool,
    lane,
    listeningLane,
    ingestion,
    /** Writes down a short recording at once. */
    hear: createListening({ lane: listeningLane, transcriber, ffmpeg }),
    /** Makes a person's photo of what they sent, at once. */
    drawPhoto: createPhotoDrawing({ lane: listeningLane, log }),
  };
}
