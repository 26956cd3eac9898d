import type { Database } from '../../platform/database/database.ts';
import type { ReadingQueue } from '../ingestion/reading-queue.ts';
import type { ArtifactsRepository, Reading } from './artifacts.repository.ts';

/** Few enough readings that statements of others run in between. */
const READINGS_PER_TRANSACTION = 250;

/**
 * Reads files of one user again whose last reading was lost, except those with a newer reading and,
 * with `onlyUnfinished`, those whose reading has ended in the meantime.
 */
export const createRereading =
  (
    database: Database,
    repository: Pick<ArtifactsRepository, 'restart'>,
    readingQueue: ReadingQueue,
    now: () => Date,
  ) =>
  async (
    readings: readonly Reading[],
    options: { onlyUnfinished?: boolean } = {},
  ): Promise<void> => {
    for (let at = 0; at < readings.length; at += READINGS_PER_TRANSACTION) {
      const slice = readings.slice(at, at + READINGS_PER_TRANSACTION);
      await database.transaction(async (tx) => {
        await readingQueue.enqueue(tx, await repository.restart(tx, slice, now(), options));
      });
    }
  };

export type Reread = ReturnType<typeof createRereading>;
