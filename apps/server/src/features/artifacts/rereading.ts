import type { Database, Executor } from '../../platform/database/database.ts';
import type { ReadingQueue } from '../ingestion/reading-queue.ts';
import type { ArtifactSets, Reading } from './artifacts.sets.ts';

/** Readings that are queued in one transaction. */
const READINGS_PER_TRANSACTION = 250;

/**
 * Reads files of one person anew whose last reading was lost; one that was read anew or deleted since
 * is left alone, and with `onlyUnfinished` one whose reading has come to its end since.
 */
export const createRereading =
  ({
    database,
    sets,
    readingQueue,
    now,
  }: {
    database: Database;
    sets: ArtifactSets;
    readingQueue: ReadingQueue;
    now: () => Date;
  }) =>
  async (
    readings: readonly Reading[],
    options: { onlyUnfinished?: boolean } = {},
  ): Promise<void> => {
    for (let at = 0; at < readings.length; at += READINGS_PER_TRANSACTION) {
      const slice = readings.slice(at, at + READINGS_PER_TRANSACTION);
      await database.transaction(async (tx) => {
        await readingQueue.enqueue(tx, await sets.restart(tx, slice, now(), options));
      });
    }
  };

export type Reread = ReturnType<typeof createRereading>;

/**
 * Queues a file to be indexed as it is stored, without being read again: its name, place or keywords
 * changed, in the transaction that is given, or the index has lost it.
 */
export type IndexAgain = (file: { id: string; userId: string }, tx?: Executor) => Promise<void>;
