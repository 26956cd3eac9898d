import { ExtractionError } from '@engram/extraction/light';
import type { FastifyBaseLogger } from 'fastify';
import type { FileStore } from '../../platform/files/files.ts';
import { artifactPrefix, supplementsPrefix } from '../../platform/files/keys.ts';
import type { SearchIndex } from '../../platform/index/search-index.ts';
import { type Job, type Jobs, PermanentError } from '../../platform/jobs/jobs.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ReadingsRepository } from '../artifacts/readings.repository.ts';
import { ExtractionCrash, type ReadDocument } from './extraction-pool.ts';
import { type ArtifactReader, isTooSlow } from './read-artifact.ts';
import { laneOf, READING_LANES, type ReadingLane } from './reading-lanes.ts';
import {
  LANES,
  type ReadingJob,
  type ReadingQueue,
  RECOGNIZE,
  THUMBNAIL,
} from './reading-queue.ts';
import { createReadingRecorder } from './reading-recorder.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface IngestionDependencies {
  readings: ReadingsRepository;
  files: FileStore;
  index: SearchIndex;
  jobs: Jobs;
  readingQueue: ReadingQueue;
  reader: ArtifactReader;
  thumbnails: Thumbnails;
  log: FastifyBaseLogger;
  now: () => Date;
  /** Deletes the versions that artifacts replace, once the artifacts are ready. */
  deleteReplaced: (userId: string, ids: readonly string[]) => Promise<void>;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
}

/** Files of which pages are being recognised; the queue is fair between pages. */
const RECOGNITION_JOBS = 64;
const RECOGNITION_JOBS_OF_ONE = 4;
const THUMBNAIL_JOBS = 2;

/**
 * Bytes of files of the normal lane that are read, or wait read to be stored, at the same time. Short
 * files wait for none of them, and of slow ones there are few.
 */
const MOST_BYTES_UNDER_WAY = 64 * 1_048_576;

/**
 * Tries of a file after the first, for what is no fault of it: the waits between them grow, and come
 * to more than an hour of a full disk or of a database that is away.
 */
const RETRIES = 12;

/** Tries after which a file that ends its reading process is not read again. */
const CRASH_TRIES = 2;
/** Tries after which a provider that is down is waited for no longer: some minutes. */
const PROVIDER_TRIES = 6;

/** The clock runs while a file waits for its turn; the reading process bounds each reading itself. */
const READING_SECONDS = 12 * 3600;
/** A book of scanned pages in its turn with those of others. */
const RECOGNITION_SECONDS = 12 * 3600;

const FAILED = 'This file could not be read. Please try again.';

/** The reading is of no use any more: the file is gone, or is read anew. */
class Superseded extends Error {}

/** How files become searchable: read in processes of their own, chunked, analysed, indexed. */
export function createIngestionService(deps: IngestionDependencies) {
  const { files, jobs, reader, thumbnails, log } = deps;
  const { enqueueStage } = deps.readingQueue;

  const recorder = createReadingRecorder(deps);
  const bytesUnderWay = createFairLimiter({ concurrency: MOST_BYTES_UNDER_WAY });
  /** At most half of the bytes are one file's, so that two of any size go side by side. */
  const spend = <T>({ userId, size }: ArtifactRow, signal: AbortSignal, work: () => Promise<T>) =>
    bytesUnderWay.run(userId, signal, work, Math.min(size, MOST_BYTES_UNDER_WAY / 2));

  /** The artifact of a reading; undefined when it is gone or read anew. */
  const current = async ({ artifactId, revision }: ReadingJob) => {
    const artifact = await recorder.find(artifactId);
    return artifact?.revision === revision ? artifact : undefined;
  };

  const forgetSupplements = ({ id, userId }: Pick<ArtifactRow, 'id' | 'userId'>): Promise<void> =>
    files.removePrefix(supplementsPrefix(userId, id));

  /** Removes what was written beside a file that was deleted meanwhile. */
  const forgetIfDeleted = async ({ artifactId, userId }: ReadingJob): Promise<void> => {
    if (await recorder.find(artifactId)) return;
    await files.removePrefix(artifactPrefix(userId, artifactId));
  };

  /** What is left to do for a file that is ready. Done again when a kill came in between. */
  const tidyUp = async (artifact: ArtifactRow, slow: boolean): Promise<void> => {
    // An earlier reading may have been slow, and was given up for this one.
    if (slow || artifact.revision > 1) await forgetSupplements(artifact);
    if (thumbnails.mayHave(artifact)) await enqueueStage(THUMBNAIL, artifact);
    await deps.deleteReplaced(artifact.userId, [artifact.id]);
  };

  const finish = async (artifact: ArtifactRow, document: ReadDocument, slow: boolean) => {
    if (await recorder.finish(artifact, document)) await tidyUp(artifact, slow);
  };

  /** What is wrong with the file itself is wrong at the next try too. */
  const tellHopeless = (error: unknown, attempt: number): unknown => {
    const hopeless =
      error instanceof ExtractionError ||
      (error instanceof ExtractionCrash && attempt >= CRASH_TRIES);
    return hopeless ? new PermanentError(error.message, { cause: error }) : error;
  };

  const readInLane = async (
    artifact: ArtifactRow,
    lane: ReadingLane,
    signal: AbortSignal,
  ): Promise<void> => {
    const onProgress = (percent: number): void => recorder.progress(artifact, percent);
    const read = async (): Promise<void> => {
      const document = await reader.readAtOnce({ artifact, lane, signal, onProgress });
      if (document) await finish(artifact, document, false);
      else await enqueueStage(RECOGNIZE, artifact);
    };
    try {
      await (lane === 'normal' ? spend(artifact, signal, read) : read());
    } catch (error) {
      const { next } = READING_LANES[lane];
      if (next === null || !isTooSlow(error)) throw error;
      log.info({ artifactId: artifact.id, from: lane, to: next }, 'a slow file changes its lane');
      await enqueueStage(READING_LANES[next].queue, artifact);
    }
  };

  const handleReading = async (lane: ReadingLane, job: Job<ReadingJob>): Promise<void> => {
    const artifact = await current(job.data);
    if (!artifact) return;
    if (artifact.status === 'SUCCESS') return tidyUp(artifact, false);
    if (lane === 'short' && laneOf(artifact) !== 'short') {
      await enqueueStage(READING_LANES.normal.queue, artifact);
      return;
    }
    recorder.begin(artifact);
    try {
      await readInLane(artifact, lane, job.signal);
    } catch (error) {
      await forgetIfDeleted(job.data);
      throw tellHopeless(error, job.attempt);
    }
  };

  const recognize = async (artifact: ArtifactRow, job: Job<ReadingJob>): Promise<void> => {
    const { data, signal, attempt } = job;
    const document = await reader.readSlowly({
      artifact,
      signal,
      mayWait: attempt < PROVIDER_TRIES,
      onProgress: (percent) => recorder.progress(artifact, percent),
      spend: (work) => spend(artifact, signal, work),
      async assertNeeded() {
        if (!(await current(data))) throw new Superseded();
      },
    });
    await finish(artifact, document, true);
  };

  const handleRecognition = async (job: Job<ReadingJob>): Promise<void> => {
    const artifact = await current(job.data);
    if (!artifact) return forgetIfDeleted(job.data);
    if (artifact.status === 'SUCCESS') return tidyUp(artifact, true);
    if (artifact.status === 'PENDING') recorder.begin(artifact);
    try {
      await recognize(artifact, job);
    } catch (error) {
      await forgetIfDeleted(job.data);
      if (!(error instanceof Superseded)) throw tellHopeless(error, job.attempt);
    }
  };

  const handleThumbnail = async ({ data, signal }: Job<ReadingJob>): Promise<void> => {
    const artifact = await current(data);
    if (artifact) await thumbnails.make(artifact, signal).finally(() => forgetIfDeleted(data));
  };

  const giveUp = async (data: ReadingJob, error: Error): Promise<void> => {
    const known = error instanceof PermanentError;
    if (!known) log.error({ err: error, artifactId: data.artifactId }, 'a file was not read');
    await recorder.giveUp(data, known ? error.message : FAILED);
    const artifact = await current(data);
    if (artifact) await forgetSupplements(artifact);
  };

  return {
    /** Makes the handlers known; the jobs run once the queue is started. */
    async define(): Promise<void> {
      for (const lane of LANES) {
        const { queue, files: concurrency, filesOfUser } = READING_LANES[lane];
        await jobs.define<ReadingJob>(queue, {
          handler: (job) => handleReading(lane, job),
          concurrency,
          groupConcurrency: filesOfUser,
          timeoutSeconds: READING_SECONDS,
          retryLimit: RETRIES,
          retryDelaySeconds: 1,
          onFailed: giveUp,
        });
      }
      await jobs.define<ReadingJob>(RECOGNIZE, {
        handler: handleRecognition,
        concurrency: RECOGNITION_JOBS,
        groupConcurrency: RECOGNITION_JOBS_OF_ONE,
        timeoutSeconds: RECOGNITION_SECONDS,
        retryLimit: RETRIES,
        retryDelaySeconds: 5,
        onFailed: giveUp,
      });
      await jobs.define<ReadingJob>(THUMBNAIL, {
        handler: handleThumbnail,
        concurrency: THUMBNAIL_JOBS,
        timeoutSeconds: READING_SECONDS,
        retryLimit: 2,
        retryDelaySeconds: 5,
        onFailed: async ({ artifactId }, error) => {
          log.warn({ err: error, artifactId }, 'a file got no small picture');
        },
      });
    },

    /** Says of a file why it cannot be read any more; its name and keywords still find it. */
    giveUp: (reading: ReadingJob, reason: string): Promise<void> =>
      recorder.giveUp(reading, reason, { evenIfEnded: true }),
  };
}
