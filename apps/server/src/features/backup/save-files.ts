import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { FileNotFoundError, type FileStore, type StoredBytes } from '../../platform/files/files.ts';
import { copyKey, type SavedFile } from './manifest.ts';

/** Files that are copied at the same time, because most of the time is spent waiting for the network. */
const AT_ONCE = 4;

interface SavingFiles {
  files: FileStore;
  pool: FileStore;
  there: ReadonlySet<string>;
  known: ReadonlyMap<string, SavedFile>;
  saved: Map<string, SavedFile>;
  yieldToRequests: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Processes items concurrently. After a failure, running ones are awaited and no more are started. */
export async function inLanes<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const begun = items.values().map(work);
  const lane = async (): Promise<void> => {
    // An error closes the iterator, which stops the other lanes.
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
 * Copies all files to the pool, except those that the newest backup contains with the same time. A file
 * that an interrupted run has copied is only read again for its checksum.
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
      // A failed write has not read the stream to its end.
      content.destroy();
    }
  }

  await inLanes(await files.list(''), (key) =>
    save(key).catch((error: unknown) => {
      // The file was deleted since it was listed.
      if (!(error instanceof FileNotFoundError)) throw error;
    }),
  );
}
