import { fileTypeEntry, READING_SHARE } from '@engram/contract';
import { ExtractionError } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';
import { artifactPrefix, supplementsPrefix } from '../../platform/files/keys.ts';
import type { IndexRow } from '../../platform/index/search-index.ts';
import { type Job, PermanentError } from '../../platform/jobs/jobs.ts';
import { createFairLimiter } from '../../platform/threads/fair-limiter.ts';
import type { ArtifactRevision } from '../artifacts/artifacts.repository.ts';
import type { ArtifactRow } from '../artifacts/artifacts.tables.ts';
import type { ArtifactDeletion } from '../deletion/artifact-deletion.ts';
import { ExtractionCrash, type ExtractedDocument } from './extraction-pool.ts';
import { nameRow } from './index-rows.ts';
import { type ArtifactExtractor, isTooSlow } from './extract-artifact.ts';
import {
  laneOf,
  LANES,
  EXTRACTION_LANES,
  type ExtractionJob,
  type ExtractionLane,
  RECOGNIZE,
  THUMBNAIL,
} from './extraction-queue.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Concurrent files in OCR or transcription. The queue is fair between their pages. */
const RECOGNITION_JOBS = 64;
const RECOGNITION_JOBS_PER_USER = 4;
const THUMBNAIL_JOBS = 2;

/** Total size of the files in the normal lane that are processed at the same time. */
const MAX_RUNNING_BYTES = 64 * 1_048_576;

/** Retries after server errors. With backoff they take more than an hour. */
const RETRIES = 12;

/** Attempts after which a file that crashes its process fails. */
const CRASH_TRIES = 2;
/** Attempts, over some minutes, after which a provider that is down is skipped. */
const PROVIDER_TRIES = 6;

/** Long, because it includes the time in the queue. The pool limits each extraction. */
const TIMEOUT_SECONDS = 12 * 3600;

/** Longer texts, in UTF-16 units, are stored during indexing instead of after it. */
const LONG_TEXT = 200_000;

const YIELD_MS = 100;

/** An extraction is shown as running after this time, because most end sooner. */
const SHOW_RUNNING_AFTER_MS = 300;

const PREVIEW_LENGTH = 50;

const FAILED = 'This file could not be read. Please try again.';

/** The file was deleted, or a newer revision is being processed. */
class Superseded extends Error {}

const noText = ({ fileType }: ArtifactRow): string =>
  `${fileTypeEntry(fileType).kind === 'image' ? 'No text was found in this picture.' : 'There is no text in this file.'} It can be found by its name and keywords.`;

/** Errors caused by the file are not retried. */
const toPermanentError = (error: unknown, attempt: number): unknown => {
  const isPermanent =
    error instanceof ExtractionError ||
    (error instanceof ExtractionCrash && attempt >= CRASH_TRIES);
  if (!isPermanent) return error;
  // The job stores the code with its failure.
  return Object.assign(new PermanentError(error.message, { cause: error }), { code: error.code });
};

/** Runs the jobs that make files searchable. */
export function createIngestionService(
  { storage, log, now }: Core,
  {
    extractor,
    thumbnails,
    deleteReplaced,
  }: { extractor: ArtifactExtractor; thumbnails: Thumbnails } & Pick<
    ArtifactDeletion,
    'deleteReplaced'
  >,
) {
  const { backgroundYield, files, index, jobs, extractions, extractionQueue } = storage;
  const { enqueueStage } = extractionQueue;
  const timers = new Map<string, NodeJS.Timeout>();
  const runningBytes = createFairLimiter({ concurrency: MAX_RUNNING_BYTES });
  /** A file counts for up to half of the bytes, so that two files of any size fit. */
  const limitBytes = <T>(
    { userId, size }: ArtifactRow,
    signal: AbortSignal,
    run: () => Promise<T>,
  ) => runningBytes.run(userId, signal, run, Math.min(size, MAX_RUNNING_BYTES / 2));

  /** The artifact of a job; undefined if it was deleted or has a newer revision. */
  const findCurrent = async ({ artifactId, revision }: ExtractionJob) => {
    const artifact = await extractions.find(artifactId);
    return artifact?.revision === revision ? artifact : undefined;
  };

  const removeSupplements = ({ id, userId }: Pick<ArtifactRow, 'id' | 'userId'>): Promise<void> =>
    files.removePrefix(supplementsPrefix(userId, id));

  /** Removes what was stored for a file that was deleted in the meantime. */
  const cleanUpIfDeleted = async ({ artifactId, userId }: ExtractionJob): Promise<void> => {
    if (await extractions.find(artifactId)) return;
    await files.removePrefix(artifactPrefix(userId, artifactId));
  };

  /** Indexes a file, or its name if it has no text. */
  const indexFile = (artifact: ArtifactRow, rows: IndexRow[] = []): Promise<void> => {
    const { id: artifactId, userId, ...named } = artifact;
    const indexed = rows.length > 0 ? rows : [nameRow({ artifactId, ...named })];
    return index.replace(userId, [{ artifactId, rows: indexed }]);
  };

  const removeRowsIfDeleted = async ({ id, userId }: ArtifactRow): Promise<void> => {
    if (!(await extractions.find(id))) await index.remove(userId, [id]);
  };

  const clearTimer = (id: string): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };

  /** Errors are only logged, because the next update follows soon. */
  const storeProgress = (target: ArtifactRevision, progress: number): void => {
    clearTimer(target.id);
    extractions.setProgress(target, progress, now()).catch((error: unknown) => {
      log.warn({ err: error }, 'progress was not stored');
    });
  };

  const showRunning = ({ id, revision }: ArtifactRevision): void => {
    clearTimer(id);
    timers.set(id, setTimeout(storeProgress, SHOW_RUNNING_AFTER_MS, { id, revision }, 1).unref());
  };

  /** @param percent 0 to 100 of the extraction, which is followed by indexing */
  const showProgress = ({ id, revision }: ArtifactRevision, percent: number): void =>
    storeProgress({ id, revision }, Math.round((percent * READING_SHARE) / 100));

  /** The last steps for a file that is ready. They may run again after a crash. */
  const cleanUp = async (artifact: ArtifactRow, slow: boolean): Promise<void> => {
    // An earlier revision may have left supplements.
    if (slow || artifact.revision > 1) await removeSupplements(artifact);
    if (thumbnails.mayHave(artifact)) await enqueueStage(THUMBNAIL, artifact);
    await deleteReplaced(artifact.userId, [artifact.id]);
  };

  /** Stores the result, unless there is a newer revision. */
  const finish = async (artifact: ArtifactRow, document: ExtractedDocument, slow: boolean) => {
    const { id, revision } = artifact;
    const { rows, notes, text } = document;
    await backgroundYield.yieldToRequests(YIELD_MS);
    const indexed = rows.length > 0;
    const isLong = text.length > LONG_TEXT;
    await Promise.all([
      indexFile(artifact, rows),
      isLong && extractions.saveText(artifact, document),
    ]);
    clearTimer(id);
    const reasons = indexed ? notes : [...notes, noText(artifact)];
    const result = {
      ...document,
      id,
      revision,
      statusReason: reasons.join(' ') || null,
      indexed,
      preview: text.trim().slice(0, PREVIEW_LENGTH).toWellFormed() || null,
      document: isLong ? null : document,
    };
    if (await extractions.finish(result, now())) await cleanUp(artifact, slow);
    else await removeRowsIfDeleted(artifact);
  };

  /** Marks a file as failed. It can still be found by its name and keywords. */
  const markFailed = async (
    { artifactId, revision }: Pick<ExtractionJob, 'artifactId' | 'revision'>,
    failure: { statusReason: string; locked?: boolean; evenIfEnded?: boolean },
  ): Promise<void> => {
    clearTimer(artifactId);
    if (!(await extractions.setFailed({ id: artifactId, revision }, failure, now()))) return;
    const artifact = await extractions.find(artifactId);
    if (!artifact) return;
    await indexFile(artifact);
    await removeRowsIfDeleted(artifact);
  };

  const extractInLane = async (
    artifact: ArtifactRow,
    lane: ExtractionLane,
    signal: AbortSignal,
  ): Promise<void> => {
    const onProgress = (percent: number): void => showProgress(artifact, percent);
    const extract = async (): Promise<void> => {
      const document = await extractor.extractText({ artifact, signal, onProgress }, lane);
      if (document) await finish(artifact, document, false);
      else await enqueueStage(RECOGNIZE, artifact);
    };
    try {
      await (lane === 'normal' ? limitBytes(artifact, signal, extract) : extract());
    } catch (error) {
      const { next } = EXTRACTION_LANES[lane];
      if (next === null || !isTooSlow(error)) throw error;
      log.info(
        { artifactId: artifact.id, from: lane, to: next },
        'a slow file was moved to another lane',
      );
      await enqueueStage(EXTRACTION_LANES[next].queue, artifact);
    }
  };

  const handleExtraction = async (lane: ExtractionLane, job: Job<ExtractionJob>): Promise<void> => {
    const artifact = await findCurrent(job.data);
    if (!artifact) return;
    if (artifact.status === 'SUCCESS') return cleanUp(artifact, false);
    if (lane === 'short' && laneOf(artifact) !== 'short') {
      await enqueueStage(EXTRACTION_LANES.normal.queue, artifact);
      return;
    }
    showRunning(artifact);
    try {
      await extractInLane(artifact, lane, job.signal);
    } catch (error) {
      await cleanUpIfDeleted(job.data);
      throw toPermanentError(error, job.attempt);
    }
  };

  const recognize = async (artifact: ArtifactRow, job: Job<ExtractionJob>): Promise<void> => {
    const { data, signal, attempt } = job;
    const document = await extractor.extractWithRecognition({
      artifact,
      signal,
      mayWait: attempt < PROVIDER_TRIES,
      onProgress: (percent) => showProgress(artifact, percent),
      limitBytes: (run) => limitBytes(artifact, signal, run),
      async assertNeeded() {
        if (!(await findCurrent(data))) throw new Superseded();
      },
    });
    await finish(artifact, document, true);
  };

  const handleRecognition = async (job: Job<ExtractionJob>): Promise<void> => {
    const artifact = await findCurrent(job.data);
    if (!artifact) return cleanUpIfDeleted(job.data);
    if (artifact.status === 'SUCCESS') return cleanUp(artifact, true);
    if (artifact.status === 'PENDING') showRunning(artifact);
    try {
      await recognize(artifact, job);
    } catch (error) {
      await cleanUpIfDeleted(job.data);
      if (!(error instanceof Superseded)) throw toPermanentError(error, job.attempt);
    }
  };

  const handleThumbnail = async ({ data, signal }: Job<ExtractionJob>): Promise<void> => {
    const artifact = await findCurrent(data);
    if (artifact) await thumbnails.create(artifact, signal).finally(() => cleanUpIfDeleted(data));
  };

  const handleFailure = async (data: ExtractionJob, error: Error): Promise<void> => {
    const isKnown = error instanceof PermanentError;
    if (!isKnown)
      log.error({ err: error, artifactId: data.artifactId }, 'a file was not extracted');
    const locked = 'code' in error && error.code === 'password_needed';
    await markFailed(data, { statusReason: isKnown ? error.message : FAILED, locked });
    const artifact = await findCurrent(data);
    if (artifact) await removeSupplements(artifact);
  };

  for (const lane of LANES) {
    const { queue, files: concurrency, filesOfUser } = EXTRACTION_LANES[lane];
    jobs.define<ExtractionJob>(queue, {
      handler: (job) => handleExtraction(lane, job),
      concurrency,
      groupConcurrency: filesOfUser,
      timeoutSeconds: TIMEOUT_SECONDS,
      retryLimit: RETRIES,
      retryDelaySeconds: 1,
      onFailed: handleFailure,
    });
  }
  jobs.define<ExtractionJob>(RECOGNIZE, {
    handler: handleRecognition,
    concurrency: RECOGNITION_JOBS,
    groupConcurrency: RECOGNITION_JOBS_PER_USER,
    timeoutSeconds: TIMEOUT_SECONDS,
    retryLimit: RETRIES,
    retryDelaySeconds: 5,
    onFailed: handleFailure,
  });
  jobs.define<ExtractionJob>(THUMBNAIL, {
    handler: handleThumbnail,
    concurrency: THUMBNAIL_JOBS,
    timeoutSeconds: TIMEOUT_SECONDS,
    retryLimit: 2,
    retryDelaySeconds: 5,
    onFailed: async ({ artifactId }, error) => {
      log.warn({ err: error, artifactId }, 'a thumbnail could not be created');
    },
  });

  return {
    /** Marks a file as failed, even if it was ready. */
    fail: (target: Pick<ExtractionJob, 'artifactId' | 'revision'>, reason: string): Promise<void> =>
      markFailed(target, { statusReason: reason, evenIfEnded: true }),
  };
}
