import { clear, delMany, entries, setMany } from 'idb-keyval';
import { databaseStore } from '../../browser/database.ts';
import { UNSENT_DATABASE } from '../../session/unsent-databases.ts';
import { isSignedIn, onSessionChange } from '../../session/session.ts';
import { readUnsent, takeInterrupted, writeUnsent, type UnsentFile } from './unsent-list.ts';
import type { UploadItem } from './upload-item.ts';

/** Maximum bytes of stored unsent files. A reload loses the others. */
const MAX_STORED_BYTES = 200 * 1_048_576;

/** Files of tabs that were closed during an upload are deleted after this time. */
const MAX_AGE_MS = 24 * 3_600_000;

interface StoredFile {
  file: File;
  storedAt: number;
}

const store = databaseStore(UNSENT_DATABASE, 'files');

// Leaving a page aborts its calls, but their files still have to be sent.
let isPageHidden = false;
window.addEventListener('pagehide', () => (isPageHidden = true));
window.addEventListener('pageshow', () => (isPageHidden = false));

const storedIds = new Set<string>();

export const wouldLoseFiles = (): boolean =>
  readUnsent().some(({ id, note }) => note === null && !storedIds.has(id));

async function storeFiles(files: readonly UploadItem[]): Promise<void> {
  const storedAt = Date.now();
  await setMany(
    files.map(({ id, file }) => [id, { file, storedAt } satisfies StoredFile]),
    store,
  );
  for (const { id } of files) storedIds.add(id);
}

/**
 * Stores files before they are sent, so that a reload resumes the upload. Content from other apps is
 * skipped, as it is stored already.
 */
export function storeUnsent(all: readonly UploadItem[]): void {
  const previous = readUnsent();
  const known = new Set(previous.map(({ id }) => id));
  const items = all.filter(({ id, source }) => source === 'Web' && !known.has(id));
  if (!globalThis.indexedDB || items.length === 0) return;
  const files = items.map(({ file, ...item }): UnsentFile => ({ ...item, type: file.type }));
  writeUnsent([...previous, ...files]);
  let bytes = previous.reduce((sum, { size }) => sum + size, 0);
  const fitting = items.filter(
    ({ size, note }) => note === null && (bytes += size) <= MAX_STORED_BYTES,
  );
  // If the storage is full, a reload lists the files as lost instead.
  void storeFiles(fitting).catch(() => undefined);
}

export function removeUnsent(ids: readonly string[]): void {
  if (isPageHidden) return;
  const removedIds = new Set(ids);
  const previous = readUnsent();
  const remaining = previous.filter(({ id }) => !removedIds.has(id));
  if (remaining.length === previous.length) return;
  writeUnsent(remaining);
  void delMany([...ids], store).catch(() => undefined);
  for (const id of ids) storedIds.delete(id);
}

/** The uploads that a reload interrupted; `file` is null if it was not stored. */
export async function restoreUnsent(): Promise<(UnsentFile & { file: File | null })[]> {
  const files = takeInterrupted();
  if (files.length === 0) return [];
  const stored = new Map<string, File>();
  try {
    const storedFiles = await entries<string, StoredFile>(store);
    for (const [id, { file }] of storedFiles) stored.set(id, file);
    const old = storedFiles.filter(([, { storedAt }]) => Date.now() - storedAt > MAX_AGE_MS);
    await delMany(
      old.map(([id]) => id),
      store,
    );
  } catch {
    // Without the database all files count as lost.
  }
  return files.map((unsent) => ({ ...unsent, file: stored.get(unsent.id) ?? null }));
}

onSessionChange(() => {
  if (isSignedIn() || storedIds.size === 0) return;
  storedIds.clear();
  void clear(store).catch(() => undefined);
});
