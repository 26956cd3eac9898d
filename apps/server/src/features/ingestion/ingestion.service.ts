import { ExtractionError } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';
import { artifactPrefix, supplementsPrefix } from '../../platform/files/keys.ts';
import { type Job, PermanentError } from '../../platform/jobs/jobs.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import { ExtractionCrash, type ReadDocument } from './extraction-pool.ts';
import { type ArtifactReader, isTooSlow } from './read-artifact.ts';
import {
  laneOf,
  LANES,
  READING_LANES,
  type ReadingJob,
  type ReadingLane,
  RECOGNIZE,
  THUMBNAIL,
} from './reading-queue.ts';
import { createReadingRecorder } from './reading-recorder.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Files in OCR or transcription at the same time. The queue is fair between their pages. */
const RECOGNITION_JOBS = 64;
const RECOGNITION_JOBS_OF_ONE = 4;
const THUMBNAIL_JOBS = 2;

/** Bytes of files in the normal lane that are read or stored at the same time. */
const MAX_BYTES_RUNNING = 64 * 1_048_576;

/** Retries after failures of the server. With backoff they take more than an hour. */
const RETRIES = 12;

/** Attempts after which a file that crashes its process has failed. */
const CRASH_TRIES = 2;
/** Attempts, over some minutes, after which a provider that is down is skipped. */
const PROVIDER_TRIES = 6;

/** Long, because it includes the time in the queue. The pool limits each reading. */
const TIMEOUT_SECONDS = 12 * 3600;

const FAILED = 'This file could not be read. Please try again.';

/** The file was deleted, or there is a newer reading. */
class Superseded extends Error {}

/** Runs the jobs that make files searchable. */
export function createIngestionService(
  core: Core,
  services: {
    reader: ArtifactReader;
    thumbnails: Thumbnails;
    /** Deletes the versions that artifacts replace, once the artifacts are ready. */
    deleteReplaced: (userId: string, ids: readonly string[]) => Promise<void>;
  },
) {
  const { storage, log } = core;
  const { files, jobs, readings, readingQueue } = storage;
  const { reader, thumbnails } = services;
  const { enqueueStage } = readingQueue;
  const recorder = createReadingRecorder(core);
  const runningBytes = createFairLimiter({ concurrency: MAX_BYTES_RUNNING });
  /** A file counts for up to half of the bytes, so that two files of any size fit. */
  const limitBytes = <T>(
    { userId, size }: ArtifactRow,
    signal: AbortSignal,
    work: () => Promise<T>,
  ) => runningBytes.run(userId, signal, work, Math.min(size, MAX_BYTES_RUNNING / 2));

  /** The artifact of a reading; undefined if it was deleted or there is a newer reading. */
  const current = async ({ artifactId, revision }: ReadingJob) => {
    const artifact = await readings.find(artifactId);
    return artifact?.revision === revision ? artifact : undefined;
  };

  const removeSupplements = ({ id, userId }: Pick<ArtifactRow, 'id' | 'userId'>): Promise<void> =>
    files.removePrefix(supplementsPrefix(userId, id));

  /** Removes what was stored for a file that was deleted in the meantime. */
  const cleanUpIfDeleted = async ({ artifactId, userId }: ReadingJob): Promise<void> => {
    if (await readings.find(artifactId)) return;
    await files.removePrefix(artifactPrefix(userId, artifactId));
  };

  /** The last steps for a file that is ready. They may run again after a crash. */
  const tidyUp = async (artifact: ArtifactRow, slow: boolean): Promise<void> => {
    // An earlier reading may have left supplements.
    if (slow || artifact.revision > 1) await removeSupplements(artifact);
    if (thumbnails.mayHave(artifact)) await enqueueStage(THUMBNAIL, artifact);
    await services.deleteReplaced(artifact.userId, [artifact.id]);
  };

  const finish = async (artifact: ArtifactRow, document: ReadDocument, slow: boolean) => {
    if (await recorder.finish(artifact, document)) await tidyUp(artifact, slow);
  };

  /** Errors of the file itself are not retried. */
  const toPermanentError = (error: unknown, attempt: number): unknown => {
    const isPermanent =
      error instanceof ExtractionError ||
      (error instanceof ExtractionCrash && attempt >= CRASH_TRIES);
    return isPermanent ? new PermanentError(error.message, { cause: error }) : error;
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
      await (lane === 'normal' ? limitBytes(artifact, signal, read) : read());
    } catch (error) {
      const { next } = READING_LANES[lane];
      if (next === null || !isTooSlow(error)) throw error;
      log.info(
        { artifactId: artifact.id, from: lane, to: next },
        'a slow file moves to another lane',
      );
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
      await cleanUpIfDeleted(job.data);
      throw toPermanentError(error, job.attempt);
    }
  };

  const recognize = async (artifact: ArtifactRow, job: Job<ReadingJob>): Promise<void> => {
    const { data, signal, attempt } = job;
    const document = await reader.readSlowly({
      artifact,
      signal,
      mayWait: attempt < PROVIDER_TRIES,
      onProgress: (percent) => recorder.progress(artifact, percent),
      limitBytes: (work) => limitBytes(artifact, signal, work),
      async assertNeeded() {
        if (!(await current(data))) throw new Superseded();
      },
    });
    await finish(artifact, document, true);
  };

  const handleRecognition = async (job: Job<ReadingJob>): Promise<void> => {
    const artifact = await current(job.data);
    if (!artifact) return cleanUpIfDeleted(job.data);
    if (artifact.status === 'SUCCESS') return tidyUp(artifact, true);
    if (artifact.status === 'PENDING') recorder.begin(artifact);
    try {
      await recognize(artifact, job);
    } catch (error) {
      await cleanUpIfDeleted(job.data);
      if (!(error instanceof Superseded)) throw toPermanentError(error, job.attempt);
    }
  };

  const handleThumbnail = async ({ data, signal }: Job<ReadingJob>): Promise<void> => {
    const artifact = await current(data);
    if (artifact) await thumbnails.make(artifact, signal).finally(() => cleanUpIfDeleted(data));
  };

  const giveUp = async (data: ReadingJob, error: Error): Promise<void> => {
    const known = error instanceof PermanentError;
    if (!known) log.error({ err: error, artifactId: data.artifactId }, 'a file was not read');
    await recorder.giveUp(data, known ? error.message : FAILED);
    const artifact = await current(data);
    if (artifact) await removeSupplements(artifact);
  };

  return {
    /** Defines the queues. Their jobs run once the server has started. */
    async define(): Promise<void> {
      for (const lane of LANES) {
        const { queue, files: concurrency, filesOfUser } = READING_LANES[lane];
        await jobs.define<ReadingJob>(queue, {
          handler: (job) => handleReading(lane, job),
          concurrency,
          groupConcurrency: filesOfUser,
          timeoutSeconds: TIMEOUT_SECONDS,
          retryLimit: RETRIES,
          retryDelaySeconds: 1,
          onFailed: giveUp,
        });
      }
      await jobs.define<ReadingJob>(RECOGNIZE, {
        handler: handleRecognition,
        concurrency: RECOGNITION_JOBS,
        groupConcurrency: RECOGNITION_JOBS_OF_ONE,
        timeoutSeconds: TIMEOUT_SECONDS,
        retryLimit: RETRIES,
        retryDelaySeconds: 5,
        onFailed: giveUp,
      });
      await jobs.define<ReadingJob>(THUMBNAIL, {
        handler: handleThumbnail,
        concurrency: THUMBNAIL_JOBS,
        timeoutSeconds: TIMEOUT_SECONDS,
        retryLimit: 2,
        retryDelaySeconds: 5,
        onFailed: async ({ artifactId }, error) => {
          log.warn({ err: error, artifactId }, 'a file has no thumbnail');
        },
      });
    },

    /** Marks a file as failed, also after its reading has ended. */
    giveUp: (reading: ReadingJob, reason: string): Promise<void> =>
      recorder.giveUp(reading, reason, { evenIfEnded: true }),
  };
}
