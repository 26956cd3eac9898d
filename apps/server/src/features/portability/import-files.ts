import { randomUUID } from 'node:crypto';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import { isDiskFull } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { ExportedFile } from './export-format.ts';
import type { Archive } from './import-archive.ts';
import { noRoom, serverStops } from './portability.errors.ts';

export interface ImportFilesDependencies {
  files: Pick<PortableFiles, 'present' | 'store' | 'keep' | 'discard'>;
  /** Throws where the plan does not allow so many more bytes. */
  assertMayUpload: (userId: string, bytes: number) => Promise<void>;
  now: () => Date;
}

/** What came of the files of an export. */
export interface ImportedFiles {
  added: number;
  present: number;
  rejected: { name: string; message: string }[];
}

type Stored = Awaited<ReturnType<PortableFiles['store']>>;
type CarriedFiles = Parameters<PortableFiles['keep']>[1];
type Carried = CarriedFiles['of'] extends ReadonlyMap<Stored, infer C> ? C : never;

/** Files that get their rows in one transaction, and the bytes that may wait for theirs. */
const FILES_AT_ONCE = 50;
const BYTES_AT_ONCE = 64_000_000;

/** When a file came, as its export says, unless that cannot be. */
export function sensibleDate(given: string, now: Date): Date {
  const date = new Date(given);
  return date.getTime() > 0 && date < now ? date : now;
}

/** Takes the files of an export through the door that every upload goes through. */
export function createFilesImport({ files, assertMayUpload, now }: ImportFilesDependencies) {
  const carriedOf = (file: ExportedFile): Carried => ({
    keywords: file.keywords,
    source: file.source,
    device: file.device,
    archived: file.archived,
    path: file.folderPath ?? null,
    modifiedAt: file.modifiedDate ? new Date(file.modifiedDate) : null,
    createdAt: sensibleDate(file.createdDate, now()),
  });

  /** The stored bytes of one file; a sentence where it cannot be taken. */
  const store = async (
    userId: string,
    archive: Archive,
    file: ExportedFile,
    waiting: number,
  ): Promise<Stored | string> => {
    const { path } = file;
    if (path === null || archive.size(path) === undefined) return 'The export does not hold it.';
    let stored: Stored;
    try {
      await assertMayUpload(userId, waiting + (archive.size(path) ?? 0));
      const content = (await archive.read(path)) as AsyncIterable<Buffer>;
      const { name: fileName, size, source } = file;
      stored = await files.store(userId, { fileName, size, source }, content);
    } catch (error) {
      if (isDiskFull(error)) throw noRoom();
      if (error instanceof HttpError) return error.message;
      const { code } = error as { code?: string };
      // What the disk says is the server's own trouble; all else is said by the archive.
      if (code !== undefined && /^E[A-Z]+$/u.test(code)) throw error;
      return 'It is damaged in the export.';
    }
    if (stored.sha256 === file.sha256) return stored;
    await files.discard(userId, stored);
    return 'It is not the file that the export speaks of: its checksum is another.';
  };

  /** @throws HttpError when nothing more can be taken in; what was, stays. */
  return async (
    userId: string,
    archive: Archive,
    given: readonly ExportedFile[],
    stopped: AbortSignal,
  ): Promise<ImportedFiles> => {
    const groupId = randomUUID();
    const result: ImportedFiles = { added: 0, present: 0, rejected: [] };
    const waiting = new Map<Stored, Carried>();
    let bytes = 0;

    const keepWaiting = async (): Promise<void> => {
      if (waiting.size === 0) return;
      const created = await files.keep(userId, { groupId, of: new Map(waiting) });
      waiting.clear();
      bytes = 0;
      const added = created.filter(Boolean).length;
      result.added += added;
      result.present += created.length - added;
    };

    try {
      for (let at = 0; at < given.length; at += FILES_AT_ONCE) {
        const some = given.slice(at, at + FILES_AT_ONCE);
        const here = await files.present(
          userId,
          some.map(({ sha256 }) => sha256),
        );
        for (const file of some) {
          if (stopped.aborted) throw serverStops();
          if (here.has(file.sha256)) {
            result.present += 1;
            continue;
          }
          const stored = await store(userId, archive, file, bytes);
          if (typeof stored === 'string') {
            result.rejected.push({ name: file.name, message: stored });
            continue;
          }
          waiting.set(stored, carriedOf(file));
          bytes += stored.size;
          if (bytes >= BYTES_AT_ONCE) await keepWaiting();
        }
        await keepWaiting();
      }
      return result;
    } finally {
      // Nobody speaks of their bytes; what cannot be removed now is the sweep's.
      for (const stored of waiting.keys()) {
        await files.discard(userId, stored).catch(() => undefined);
      }
    }
  };
}
