import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import {
  withHash,
  type FolderMemory,
  isUnchanged,
  type KnownFile,
  type SeenFile,
} from './files.ts';
import type { Answer, StepOf } from './plan.ts';
import type { ScannedFile } from './scan.ts';

/** Limits of hashing before the next plan, so that uploads can begin. */
const HASH_FILES = 1000;
const HASH_BYTES = 512 * 1_048_576;
const READ_BYTES = 262_144;
const CHUNK_BYTES = 65_536;

/** A file was changed while it was read, so the result is invalid. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
}

/** A file as it was scanned, and its path on the disk. */
export interface FileToSend {
  file: SeenFile;
  disk: string;
}

/** @throws FileChangedError if the file has changed since it was scanned */
export async function assertUnchanged({ file, disk }: FileToSend): Promise<void> {
  const stats = await lstat(disk).catch(() => null);
  const same =
    stats?.isFile() &&
    isUnchanged(file, { ...file, size: stats.size, mtime: stats.mtimeMs, inode: stats.ino });
  if (!same) throw new FileChangedError(`${file.path} was changed while it was sent.`);
}

/**
 * The bytes of a file, in pieces.
 * @throws FileChangedError if it has changed before or after reading
 */
export async function* contentOf(source: FileToSend): AsyncGenerator<Uint8Array> {
  await assertUnchanged(source);
  await using handle = await open(source.disk);
  let remaining = source.file.size;
  while (remaining > 0) {
    // The previous buffer may still be in use by the request.
    const piece = new Uint8Array(Math.min(CHUNK_BYTES, remaining));
    const { bytesRead } = await handle.read(piece, 0, piece.length);
    if (bytesRead === 0)
      throw new FileChangedError(`${source.file.path} was truncated while it was sent.`);
    remaining -= bytesRead;
    yield piece.subarray(0, bytesRead);
  }
  await assertUnchanged(source);
}

async function hashOf(disk: string, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  // A stream would allocate its whole buffer even for a small file.
  if (size <= READ_BYTES) return hash.update(await readFile(disk, { signal })).digest('hex');
  const stream = createReadStream(disk, { highWaterMark: READ_BYTES, signal });
  for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

/** The context of the steps of a round. */
export interface RoundContext {
  /** The files of the last scan by path. */
  scanned: ReadonlyMap<string, ScannedFile>;
  /** The server's answers in this round, by SHA-256. */
  answers: Map<string, Answer>;
  signal: AbortSignal;
  /** Skips a file for a while that cannot be read or keeps changing. */
  skip: (path: string, isChanging: boolean) => void;
  onProgress: () => void;
}

/** Hashes files, up to a limit before the next plan. */
export async function hashFiles(
  steps: readonly StepOf<'hash'>[],
  memory: FolderMemory,
  { scanned, signal, skip, onProgress }: RoundContext,
): Promise<void> {
  let put: KnownFile[] = [];
  let bytes = 0;
  for (const { file } of steps.slice(0, HASH_FILES)) {
    if (bytes > HASH_BYTES) break;
    bytes += file.size;
    const disk = scanned.get(file.path)?.disk;
    if (disk === undefined) continue;
    try {
      await assertUnchanged({ file, disk });
      const sha256 = await hashOf(disk, file.size, signal);
      await assertUnchanged({ file, disk });
      put.push(...withHash(file, memory.file(file.path), sha256));
    } catch (error) {
      if (signal.aborted) break;
      skip(file.path, error instanceof FileChangedError);
    }
    if (put.length >= 200) {
      memory.write({ put });
      put = [];
      onProgress();
    }
  }
  memory.write({ put });
  signal.throwIfAborted();
}
