import { type FileType, fileTypeEntry } from '@engram/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';

/** Each lane has its own processes and queue, so that slow files do not delay others. */
export type ExtractionLane = 'short' | 'normal' | 'slow';

/** Maximum size of plain text files in the short lane. */
export const SHORT_FILE_BYTES = 65_536;

interface LaneBounds {
  queue: string;
  /** Concurrent files, in total and per user. */
  files: number;
  filesOfUser: number;
  /** Time after which a file moves to the next lane, in milliseconds; null if it stays. */
  moveAfterMs: number | null;
  next: ExtractionLane | null;
}

export const EXTRACTION_LANES: Record<ExtractionLane, LaneBounds> = {
  // Many more than there are processes, so that small files are committed in groups.
  short: {
    queue: 'read-artifact',
    files: 64,
    filesOfUser: 56,
    moveAfterMs: 2000,
    next: 'normal',
  },
  normal: {
    queue: 'read-long-artifact',
    files: 32,
    filesOfUser: 24,
    moveAfterMs: 20_000,
    next: 'slow',
  },
  slow: { queue: 'read-slow-artifact', files: 4, filesOfUser: 1, moveAfterMs: null, next: null },
};

export const laneOf = ({ fileType, size }: { fileType: FileType; size: number }): ExtractionLane =>
  fileTypeEntry(fileType).content === 'text' && size <= SHORT_FILE_BYTES ? 'short' : 'normal';

export interface ExtractionJob {
  artifactId: string;
  userId: string;
  revision: number;
}

interface QueuedExtraction {
  id: string;
  userId: string;
  revision: number;
}

export const LANES = Object.keys(EXTRACTION_LANES) as ExtractionLane[];
/** OCR and transcription. */
export const RECOGNIZE = 'recognize-artifact';
export const THUMBNAIL = 'thumbnail-artifact';

/** All queues of an artifact, in the order of the stages. */
const QUEUES = [...LANES.map((lane) => EXTRACTION_LANES[lane].queue), RECOGNIZE, THUMBNAIL];

const keyOf = ({ id, revision }: Pick<QueuedExtraction, 'id' | 'revision'>): string =>
  `${id}:${revision}`;
const dataOf = ({ id, userId, revision }: QueuedExtraction): ExtractionJob => ({
  artifactId: id,
  userId,
  revision,
});

export function createExtractionQueue(jobs: Jobs) {
  return {
    /** Queues the first stage for artifacts of one user, in the given order. */
    async enqueue(tx: Executor, extractions: readonly QueuedExtraction[]): Promise<void> {
      const [first] = extractions;
      if (!first) return;
      const items = extractions.map((item) => ({ key: keyOf(item), data: dataOf(item) }));
      const options = { group: first.userId, tx };
      await jobs.enqueueAll<ExtractionJob>(EXTRACTION_LANES.short.queue, items, options);
    },

    enqueueStage: (queue: string, item: QueuedExtraction): Promise<void> =>
      jobs.enqueue<ExtractionJob>(queue, dataOf(item), {
        key: keyOf(item),
        group: item.userId,
      }),

    async cancel(extractions: readonly Pick<QueuedExtraction, 'id' | 'revision'>[]): Promise<void> {
      const keys = extractions.map(keyOf);
      for (const queue of QUEUES) await jobs.cancel(queue, ...keys);
    },

    /** Ids of the user's artifacts that are queued or running. */
    async unfinished(userId: string): Promise<Set<string>> {
      const ids = new Set<string>();
      // In the order of the stages, so that an artifact is not missed when it moves to the next one.
      for (const queue of QUEUES) {
        const unfinished = (await jobs.unfinished(queue, userId)) as ExtractionJob[];
        for (const { artifactId } of unfinished) ids.add(artifactId);
      }
      return ids;
    },
  };
}

export type ExtractionQueue = ReturnType<typeof createExtractionQueue>;
