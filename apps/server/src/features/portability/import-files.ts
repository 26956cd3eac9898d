import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { isDiskFull } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { StoredFile } from '../artifacts/upload-intake.ts';
import type { FileProperties } from '../artifacts/upload-recording.ts';
import type { ExportedFile } from './export-format.ts';
import type { PortableServices } from './export.service.ts';
import type { Archive } from './import-archive.ts';
import type { Refusals } from './import-reading.ts';
import { refusal } from './portability.errors.ts';

interface ImportedFiles {
  added: number;
  present: number;
  /** The SHA-256 of each file, by its id in the export. */
  hashes: Map<string, string>;
}

/** A running import. */
export interface RunningImport {
  /** Identifies the import in the storage quota. */
  id: string;
  userId: string;
  archive: Archive;
  refusals: Refusals;
  signal: AbortSignal;
}

/** The limits of one transaction. */
const BATCH_FILES = 50;
const BATCH_BYTES = 64_000_000;

/** The date in an export, or now if it is in the future or before 1970. */
export function plausibleDate(text: string, now: Date): Date {
  const date = new Date(text);
  return date.getTime() > 0 && date < now ? date : now;
}

export function createFilesImport(
  { files, arriving, subscription }: Pick<PortableServices, 'files' | 'arriving' | 'subscription'>,
  now: () => Date,
) {
  const propertiesOf = (file: ExportedFile): FileProperties => ({
    keywords: file.keywords,
    source: file.source,
    device: file.device,
    archived: file.archived,
    path: file.folderPath ?? null,
    modifiedAt: file.modifiedDate ? new Date(file.modifiedDate) : null,
    webAddress: file.webAddress ?? null,
    createdAt: plausibleDate(file.createdDate, now()),
  });

  /** Stores one file. Returns the reason if it cannot be imported. */
  const store = async (
    { id, userId, archive, signal }: RunningImport,
    file: ExportedFile,
    usedPaths: Set<string>,
  ): Promise<StoredFile | string> => {
    const { path } = file;
    if (path === null || archive.size(path) === undefined) return 'The export does not contain it.';
    // Otherwise a small export could unpack the same member 100,000 times.
    if (usedPaths.has(path)) return 'Another file in the export uses the same bytes.';
    usedPaths.add(path);
    arriving.release(id, archive.packed(path));
    let stored: StoredFile;
    try {
      const content = addAbortSignal(signal, await archive.read(path));
      const { name: fileName, size, source } = file;
      stored = await files.store(userId, { fileName, size, source }, content);
    } catch (error) {
      signal.throwIfAborted();
      if (isDiskFull(error)) throw refusal('no_room');
      if (error instanceof HttpError) return error.message;
      const { code } = error as { code?: string };
      // Disk errors have a code. All others come from the archive.
      if (code !== undefined && /^E[A-Z]+$/u.test(code)) throw error;
      return 'It is damaged in the export.';
    }
    if (stored.sha256 === file.sha256) return stored;
    await files.discard(userId, stored);
    return 'Its checksum differs from the one in the export.';
  };

  /** Why the plan does not allow that many more bytes; null if it does. */
  const quotaRefusal = (userId: string, bytes: number): Promise<string | null> =>
    subscription.assertMayUpload(userId, bytes).then(
      () => null,
      (error: unknown) => {
        if (error instanceof HttpError) return error.message;
        throw error;
      },
    );

  /** @throws HttpError if the import cannot continue. Files imported so far stay. */
  return async (
    request: RunningImport,
    exportedFiles: AsyncIterable<ExportedFile>,
  ): Promise<ImportedFiles> => {
    const { userId, archive, refusals, signal } = request;
    const groupId = randomUUID();
    const result: ImportedFiles = { added: 0, present: 0, hashes: new Map() };
    const usedPaths = new Set<string>();
    const unrecorded = new Map<StoredFile, FileProperties>();
    let bytes = 0;

    const record = async (): Promise<void> => {
      if (unrecorded.size === 0) return;
      const created = await files.record(userId, groupId, new Map(unrecorded));
      unrecorded.clear();
      bytes = 0;
      const added = created.filter(Boolean).length;
      result.added += added;
      result.present += created.length - added;
    };

    const importBatch = async (batch: readonly ExportedFile[]): Promise<void> => {
      const hashes = batch.map(({ sha256 }) => sha256);
      const present = await files.existing(userId, hashes);
      const missing = batch.filter(({ sha256 }) => !present.has(sha256));
      result.present += batch.length - missing.length;
      for (const file of missing) {
        signal.throwIfAborted();
        const size = (file.path && archive.size(file.path)) || 0;
        const stored =
          (await quotaRefusal(userId, bytes + size)) ?? (await store(request, file, usedPaths));
        if (typeof stored === 'string') {
          refusals.add({ name: file.name, message: stored });
          continue;
        }
        unrecorded.set(stored, propertiesOf(file));
        bytes += stored.size;
        if (bytes >= BATCH_BYTES) await record();
      }
      await record();
    };

    try {
      let batch: ExportedFile[] = [];
      for await (const file of exportedFiles) {
        result.hashes.set(file.id, file.sha256);
        batch.push(file);
        if (batch.length < BATCH_FILES) continue;
        await importBatch(batch);
        batch = [];
      }
      await importBatch(batch);
      return result;
    } finally {
      // These files have no rows. The consistency check removes any that remain.
      for (const stored of unrecorded.keys()) {
        await files.discard(userId, stored).catch(() => undefined);
      }
    }
  };
}
