import { randomUUID } from 'node:crypto';
import type { PortableFiles } from '../artifacts/portable-files.ts';
import { isDiskFull } from '../../platform/files/disk-room.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { ExportedFile } from './export-format.ts';
import type { Archive } from './import-archive.ts';
import type { Read, Refusals } from './import-reading.ts';
import { noRoom } from './portability.errors.ts';

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
  /** SHA-256 of each file of the export, by the id that it has there. */
  hashes: Map<string, string>;
}

export interface ImportFilesRequest {
  userId: string;
  archive: Archive;
  refusals: Refusals;
  /** Cancels the import. */
  signal: AbortSignal;
  /** Called before a file is stored, with the bytes that it takes in the export. */
  onTaken: (packedBytes: number) => void;
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

  /** The stored bytes of one file, or the reason why it cannot be imported. */
  const store = async (
    { userId, archive, signal, onTaken }: ImportFilesRequest,
    file: ExportedFile,
    taken: Set<string>,
  ): Promise<Stored | string> => {
    const { path } = file;
    if (path === null || archive.size(path) === undefined) return 'The export does not hold it.';
    // A small export could otherwise have one member unpacked for each of 100,000 files.
    if (taken.has(path)) return 'The export holds its bytes for another file.';
    taken.add(path);
    onTaken(archive.packed(path));
    let stored: Stored;
    try {
      const content = untilAborted((await archive.read(path)) as AsyncIterable<Buffer>, signal);
      const { name: fileName, size, source } = file;
      stored = await files.store(userId, { fileName, size, source }, content);
    } catch (error) {
      signal.throwIfAborted();
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

  /**
   * Of some files those that the plan has room for. One query for all of them, unless the plan is
   * nearly full: what an account stores is counted over all of its files.
   */
  const withinQuota = async (
    { userId, archive, refusals }: ImportFilesRequest,
    given: readonly ExportedFile[],
  ): Promise<readonly ExportedFile[]> => {
    const sizeOf = ({ path }: ExportedFile): number => (path && archive.size(path)) || 0;
    const refusalOf = (bytes: number): Promise<string | null> =>
      assertMayUpload(userId, bytes).then(
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

  /** @throws HttpError when nothing more can be imported; what was imported stays. */
  return async (
    request: ImportFilesRequest,
    given: AsyncIterable<Read<ExportedFile>>,
  ): Promise<ImportedFiles> => {
    const { userId, refusals, signal } = request;
    const groupId = randomUUID();
    const result: ImportedFiles = { added: 0, present: 0, hashes: new Map() };
    const taken = new Set<string>();
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

    const takeSome = async (some: readonly ExportedFile[]): Promise<void> => {
      const hashes = some.map(({ sha256 }) => sha256);
      const here = await files.present(userId, hashes);
      const missing = some.filter(({ sha256 }) => !here.has(sha256));
      result.present += some.length - missing.length;
      for (const file of await withinQuota(request, missing)) {
        signal.throwIfAborted();
        const stored = await store(request, file, taken);
        if (typeof stored === 'string') {
          refusals.add({ name: file.name, message: stored });
          continue;
        }
        waiting.set(stored, carriedOf(file));
        bytes += stored.size;
        if (bytes >= BYTES_AT_ONCE) await keepWaiting();
      }
      await keepWaiting();
    };

    try {
      let some: ExportedFile[] = [];
      for await (const read of given) {
        if (!('entry' in read)) {
          refusals.add(read);
          continue;
        }
        result.hashes.set(read.entry.id, read.entry.sha256);
        some.push(read.entry);
        if (some.length < FILES_AT_ONCE) continue;
        await takeSome(some);
        some = [];
      }
      await takeSome(some);
      return result;
    } finally {
      // They have no rows. The sweep removes what cannot be removed now.
      for (const stored of waiting.keys()) {
        await files.discard(userId, stored).catch(() => undefined);
      }
    }
  };
}

/** The parts of a stream, until the signal aborts. */
async function* untilAborted(content: AsyncIterable<Buffer>, signal: AbortSignal) {
  for await (const part of content) {
    signal.throwIfAborted();
    yield part;
  }
}
