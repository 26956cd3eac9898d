import type { Executor } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { READING_LANES, type ReadingLane } from './reading-lanes.ts';

export interface ReadingJob {
  artifactId: string;
  userId: string;
  revision: number;
}

export interface QueuedReading {
  id: string;
  userId: string;
  revision: number;
}

export const LANES = Object.keys(READING_LANES) as ReadingLane[];
/** OCR and transcription. */
export const RECOGNIZE = 'recognize-artifact';
export const THUMBNAIL = 'thumbnail-artifact';

/** All queues of an artifact, in the order of the stages. */
const QUEUES = [...LANES.map((lane) => READING_LANES[lane].queue), RECOGNIZE, THUMBNAIL];

const keyOf = ({ id, revision }: Pick<QueuedReading, 'id' | 'revision'>): string =>
  `${id}:${revision}`;
const dataOf = ({ id, userId, revision }: QueuedReading): ReadingJob => ({
  artifactId: id,
  userId,
  revision,
});

/** The queued work on artifacts. */
export function createReadingQueue(jobs: Jobs) {
  return {
    /** Queues the first stage for artifacts of one user, in their order. */
    async enqueue(tx: Executor, readings: readonly QueuedReading[]): Promise<void> {
      const [first] = readings;
      if (!first) return;
      const items = readings.map((reading) => ({ key: keyOf(reading), data: dataOf(reading) }));
      const options = { group: first.userId, tx };
      await jobs.enqueueAll<ReadingJob>(READING_LANES.short.queue, items, options);
    },

    /** Queues a later stage of an artifact. */
    enqueueStage: (queue: string, reading: QueuedReading): Promise<void> =>
      jobs.enqueue<ReadingJob>(queue, dataOf(reading), {
        key: keyOf(reading),
        group: reading.userId,
      }),

    /** Cancels all queued and running work on artifacts. */
    async cancel(readings: readonly Pick<QueuedReading, 'id' | 'revision'>[]): Promise<void> {
      const keys = readings.map(keyOf);
      for (const queue of QUEUES) await jobs.cancel(queue, ...keys);
    },

    /** Ids of a user's artifacts with queued or running work. */
    async underWay(userId: string): Promise<Set<string>> {
      const found = new Set<string>();
      // The order of the stages finds an artifact that moves on in the meantime.
      for (const queue of QUEUES) {
        const unfinished = (await jobs.unfinished(queue, userId)) as ReadingJob[];
        for (const { artifactId } of unfinished) found.add(artifactId);
      }
      return found;
    },
  };
}

export type ReadingQueue = ReturnType<typeof createReadingQueue>;
