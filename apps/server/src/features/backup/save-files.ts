import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { FileNotFoundError, type FileStore, type StoredBytes } from '../../platform/files/files.ts';
import { copyKey, type SavedFile } from './manifest.ts';

/** Files that are copied at a time: over a network most of the time is waiting. */
const AT_ONCE = 4;

export interface SavingFiles {
  files: FileStore;
  /** Where the bytes of all backups are kept. */
  pool: FileStore;
  /** What the pool has. */
  there: ReadonlySet<string>;
  /** What the newest backup says of each file. */
  known: ReadonlyMap<string, SavedFile>;
  /** By key; what is found is added. */
  saved: Map<string, SavedFile>;
  /** Waits while people are served. */
  yieldToRequests: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Does work for all items, a few at a time; what fails ends it, once nothing is under way. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const begun = items.values().map(work);
  const lane = async (): Promise<void> => {
    // Leaving the loop by an error ends what the other lanes take from.
    for (const done of begun) await done;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

export async function measure(content: Readable): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of content) {
    const bytes = piece as Buffer;
    hash.update(bytes);
    size += bytes.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/**
 * Sees that the pool has the bytes of all files there are. A key's bytes seldom change, and when they
 * do its time changes: what the newest backup names is not read again. What a run that was cut short
 * has copied is read once more, for its checksum, and not copied again.
 */
export async function saveFiles(saving: SavingFiles): Promise<void> {
  const { files, pool, there, known, saved, yieldToRequests, signal } = saving;

  async function save(key: string): Promise<void> {
    signal?.throwIfAborted();
    const { size, changedAt } = await files.stat(key);
    const copy = changedAt.getTime().toString(36);
    const before = saved.get(key) ?? known.get(key);
    const place = copyKey({ key, copy });
    if (before?.copy === copy && before.size === size && (saved.has(key) || there.has(place))) {
      saved.set(key, before);
      return;
    }
    await yieldToRequests();
    const content = await files.read(key);
    if (signal) addAbortSignal(signal, content);
    try {
      const isThere = there.has(place) && (await pool.stat(place)).size === size;
      const stored = await (isThere ? measure(content) : pool.write(place, content));
      saved.set(key, { key, copy, ...stored });
    } finally {
      // A place that takes nothing has not read it to its end.
      content.destroy();
    }
  }

  await inLanes(await files.list(''), (key) =>
    save(key).catch((error: unknown) => {
      // Deleted since it was listed.
      if (!(error instanceof FileNotFoundError)) throw error;
    }),
  );
}
