import { clear, delMany, entries, setMany } from 'idb-keyval';
import { databaseStore } from '../../browser/database.ts';
import { UNSENT_DATABASE } from '../../session/forget-shared.ts';
import { isSignedIn, onSessionChange } from '../../session/session.ts';
import { readUnsent, takeInterrupted, writeUnsent, type UnsentFile } from './unsent-list.ts';
import type { UploadItem } from './upload-item.ts';

/** Bytes of unsent files that the browser stores; a reload loses the rest. */
const MAX_STORED_BYTES = 200 * 1_048_576;

/** After this time, files of tabs that were closed during an upload are deleted. */
const MAX_AGE_MS = 24 * 3_600_000;

interface StoredFile {
  file: File;
  storedAt: number;
}

const store = databaseStore(UNSENT_DATABASE, 'files');

// Leaving a page aborts its calls, but what they were sending is still to be sent.
let isLeft = false;
window.addEventListener('pagehide', () => (isLeft = true));
window.addEventListener('pageshow', () => (isLeft = false));

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
 * Stores what is about to be sent, so that a reload resumes it. Content from other apps is left out:
 * the browser stores that until it is uploaded.
 */
export function keepUnsent(given: readonly UploadItem[]): void {
  const before = readUnsent();
  const known = new Set(before.map(({ id }) => id));
  const items = given.filter(({ id, source }) => source === 'Web' && !known.has(id));
  if (!globalThis.indexedDB || items.length === 0) return;
  const files = items.map(({ file, ...item }): UnsentFile => ({ ...item, type: file.type }));
  writeUnsent([...before, ...files]);
  let bytes = before.reduce((sum, { size }) => sum + size, 0);
  const fitting = items.filter(
    ({ size, note }) => note === null && (bytes += size) <= MAX_STORED_BYTES,
  );
  // Without room in the browser, a reload names the files instead.
  void storeFiles(fitting).catch(() => undefined);
}

export function forgetUnsent(ids: readonly string[]): void {
  if (isLeft) return;
  const gone = new Set(ids);
  const before = readUnsent();
  const left = before.filter(({ id }) => !gone.has(id));
  if (left.length === before.length) return;
  writeUnsent(left);
  void delMany([...ids], store).catch(() => undefined);
  for (const id of ids) storedIds.delete(id);
}

/** What a reload interrupted; `file` is null if the browser had not stored it. */
export async function takeUnsent(): Promise<(UnsentFile & { file: File | null })[]> {
  const files = takeInterrupted();
  if (files.length === 0) return [];
  const stored = new Map<string, File>();
  try {
    const all = await entries<string, StoredFile>(store);
    for (const [id, { file }] of all) stored.set(id, file);
    const old = all.filter(([, { storedAt }]) => Date.now() - storedAt > MAX_AGE_MS);
    await delMany(
      old.map(([id]) => id),
      store,
    );
  } catch {
    // Without the database all files are named as lost.
  }
  return files.map((unsent) => ({ ...unsent, file: stored.get(unsent.id) ?? null }));
}

onSessionChange(() => {
  if (isSignedIn() || storedIds.size === 0) return;
  storedIds.clear();
  void clear(store).catch(() => undefined);
});
