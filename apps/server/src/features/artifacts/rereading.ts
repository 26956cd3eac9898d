import type { Database, Executor } from '../../platform/database/database.ts';
import type { ArtifactSets, Reading } from './artifacts.sets.ts';

export interface RereadingDependencies {
  database: Pick<Database, 'transaction'>;
  sets: Pick<ArtifactSets, 'restart'>;
  /** Queues readings of files of one person. */
  enqueueReadings: (
    tx: Executor,
    artifacts: readonly { id: string; userId: string; revision: number }[],
  ) => Promise<void>;
  now: () => Date;
}

/** Readings that are queued in one transaction. */
const READINGS_PER_TRANSACTION = 250;

/**
 * Reads files of one person anew whose last reading was lost; one that was read anew or deleted since
 * is left alone, and with `onlyUnfinished` one whose reading has come to its end since.
 */
export const createRereading =
  ({ database, sets, enqueueReadings, now }: RereadingDependencies) =>
  async (
    readings: readonly Reading[],
    options: { onlyUnfinished?: boolean } = {},
  ): Promise<void> => {
    for (let at = 0; at < readings.length; at += READINGS_PER_TRANSACTION) {
      const slice = readings.slice(at, at + READINGS_PER_TRANSACTION);
      await database.transaction(async (tx) => {
        await enqueueReadings(tx, await sets.restart(tx, slice, now(), options));
      });
    }
  };

export type Reread = ReturnType<typeof createRereading>;

/**
 * Queues a file to be indexed as it is stored, without being read again: its name, place or keywords
 * changed, in the transaction that is given, or the index has lost it.
 */
export type IndexAgain = (file: { id: string; userId: string }, tx?: Executor) => Promise<void>;
