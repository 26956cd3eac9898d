import { randomUUID } from 'node:crypto';
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
  /** SHA-256 of each file, by its id in the export. */
  hashes: Map<string, string>;
}

/** One import while it runs. */
export interface Importing {
  /** Identifies the import in the storage quota. */
  id: string;
  userId: string;
  archive: Archive;
  refusals: Refusals;
  signal: AbortSignal;
}

/** Limits of the files in one transaction. */
const FILES_AT_ONCE = 50;
const BYTES_AT_ONCE = 64_000_000;

/** The date in an export, or now if it is in the future or before 1970. */
export function sensibleDate(given: string, now: Date): Date {
  const date = new Date(given);
  return date.getTime() > 0 && date < now ? date : now;
}

/** Imports files in the same way as uploads. */
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
    createdAt: sensibleDate(file.createdDate, now()),
  });

  /** Stores one file. Returns the reason if it cannot be imported. */
  const store = async (
    { id, userId, archive, signal }: Importing,
    file: ExportedFile,
    usedPaths: Set<string>,
  ): Promise<StoredFile | string> => {
    const { path } = file;
    if (path === null || archive.size(path) === undefined) return 'The export does not hold it.';
    // A small export could otherwise unpack the same member for 100,000 files.
    if (usedPaths.has(path)) return 'The export holds its bytes for another file.';
    usedPaths.add(path);
    arriving.release(id, archive.packed(path));
    let stored: StoredFile;
    try {
      const content = untilAborted((await archive.read(path)) as AsyncIterable<Buffer>, signal);
      const { name: fileName, size, source } = file;
      stored = await files.store(userId, { fileName, size, source }, content);
    } catch (error) {
      signal.throwIfAborted();
      if (isDiskFull(error)) throw refusal('no_room');
      if (error instanceof HttpError) return error.message;
      const { code } = error as { code?: string };
      // Errors of the disk have a code. All others come from the archive.
      if (code !== undefined && /^E[A-Z]+$/u.test(code)) throw error;
      return 'It is damaged in the export.';
    }
    if (stored.sha256 === file.sha256) return stored;
    await files.discard(userId, stored);
    return 'It is not the file that the export speaks of: its checksum is another.';
  };

  /** The files that fit the plan. One query for all of them, unless the plan is nearly full. */
  const withinQuota = async (
    { userId, archive, refusals }: Importing,
    given: readonly ExportedFile[],
  ): Promise<readonly ExportedFile[]> => {
    const sizeOf = ({ path }: ExportedFile): number => (path && archive.size(path)) || 0;
    const refusalOf = (bytes: number): Promise<string | null> =>
      subscription.assertMayUpload(userId, bytes).then(
        () => null,
        (error: unknown) => {
          if (error instanceof HttpError) return error.message;
          throw error;
        },
      );
    const all = given.reduce((sum, file) => sum + sizeOf(file), 0);
    if ((await refusalOf(all)) === null) return given;
    const fitting: ExportedFile[] = [];
    let bytes = 0;
    let refused = { from: Infinity, message: '' };
    for (const file of given) {
      const size = bytes + sizeOf(file);
      const message = size >= refused.from ? refused.message : await refusalOf(size);
      if (message === null) {
        fitting.push(file);
        bytes = size;
      } else {
        refused = { from: Math.min(size, refused.from), message };
        refusals.add({ name: file.name, message });
      }
    }
    return fitting;
  };

  /** @throws HttpError if the import cannot continue. Files imported so far stay. */
  return async (request: Importing, given: AsyncIterable<ExportedFile>): Promise<ImportedFiles> => {
    const { userId, refusals, signal } = request;
    const groupId = randomUUID();
    const result: ImportedFiles = { added: 0, present: 0, hashes: new Map() };
    const usedPaths = new Set<string>();
    const waiting = new Map<StoredFile, FileProperties>();
    let bytes = 0;

    const recordWaiting = async (): Promise<void> => {
      if (waiting.size === 0) return;
      const created = await files.record(userId, groupId, new Map(waiting));
      waiting.clear();
      bytes = 0;
      const added = created.filter(Boolean).length;
      result.added += added;
      result.present += created.length - added;
    };

    const importSome = async (some: readonly ExportedFile[]): Promise<void> => {
      const hashes = some.map(({ sha256 }) => sha256);
      const here = await files.existing(userId, hashes);
      const missing = some.filter(({ sha256 }) => !here.has(sha256));
      result.present += some.length - missing.length;
      for (const file of await withinQuota(request, missing)) {
        signal.throwIfAborted();
        const stored = await store(request, file, usedPaths);
        if (typeof stored === 'string') {
          refusals.add({ name: file.name, message: stored });
          continue;
        }
        waiting.set(stored, propertiesOf(file));
        bytes += stored.size;
        if (bytes >= BYTES_AT_ONCE) await recordWaiting();
      }
      await recordWaiting();
    };

    try {
      let some: ExportedFile[] = [];
      for await (const file of given) {
        result.hashes.set(file.id, file.sha256);
        some.push(file);
        if (some.length < FILES_AT_ONCE) continue;
        await importSome(some);
        some = [];
      }
      await importSome(some);
      return result;
    } finally {
      // These files have no rows. The consistency check removes what is left.
      for (const stored of waiting.keys()) {
        await files.discard(userId, stored).catch(() => undefined);
      }
    }
  };
}

async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal) {
  for await (const part of content) {
    signal.throwIfAborted();
    yield part;
  }
}
