import { Readable } from 'node:stream';
import type { Core } from '../../composition/core.ts';

/** Indexes purged at the same time. */
const CONCURRENT_PURGES = 4;

/** Removes the bytes of deleted rows from the disk. Deleting a row only marks its space as free. */
export function createErasure({ storage: { index, database } }: Pick<Core, 'storage'>) {
  /** The index does so itself seconds after a deletion, unless the server stops before. */
  const purgeIndexes = async (signal?: AbortSignal): Promise<void> => {
    const users = Readable.from(await index.users());
    // The consistency check reports an index that cannot be opened.
    const purge = (userId: string) => index.purge(userId).catch(() => undefined);
    await users.forEach(purge, { concurrency: CONCURRENT_PURGES, ...(signal && { signal }) });
  };

  return {
    purgeIndexes,
    /** Rewrites changed tables and the log of the embedded database. */
    scrubDatabase: database.maintain,
  };
}

export type Erasure = ReturnType<typeof createErasure>;
