import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import type { ReadingQueue } from '../ingestion/reading-queue.ts';
import type { Reading } from './artifacts.repository.ts';
import { artifacts } from './artifacts.tables.ts';

/** Few enough readings that other statements can run in between. */
const READINGS_PER_TRANSACTION = 250;

/**
 * Reads files of one user again whose last reading was lost, except those with a newer reading and,
 * with `onlyUnfinished`, those whose reading has ended in the meantime.
 */
export const createRereading =
  (database: Database, readingQueue: ReadingQueue, now: () => Date) =>
  async (
    readings: readonly Reading[],
    { onlyUnfinished = false }: { onlyUnfinished?: boolean } = {},
  ): Promise<void> => {
    for (let at = 0; at < readings.length; at += READINGS_PER_TRANSACTION) {
      const slice = readings.slice(at, at + READINGS_PER_TRANSACTION);
      const lost = sql`${artifacts.id} IN (
        SELECT a.id FROM artifacts a JOIN unnest(
          ${sql.param(slice.map(({ id }) => id))}::uuid[],
          ${sql.param(slice.map(({ revision }) => revision))}::integer[]
        ) AS given (id, revision) USING (id, revision)
        WHERE NOT ${onlyUnfinished}::boolean OR a.status IN ('PENDING', 'PROCESSING')
        ORDER BY a.sha256 FOR UPDATE OF a)`;
      await database.transaction(async (tx) => {
        const restarted = await tx
          .update(artifacts)
          .set({ ...restart(now()), indexed: false })
          .where(lost)
          .returning();
        await readingQueue.enqueue(tx, restarted);
      });
    }
  };

/** The columns of a file that is read again. */
export const restart = (updatedAt: Date) => ({
  status: 'PENDING' as const,
  statusReason: null,
  progress: 0,
  revision: sql`${artifacts.revision} + 1`,
  updatedAt,
});
