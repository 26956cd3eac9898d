import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readFile } from 'node:fs/promises';
import {
  afterHash,
  type FolderMemory,
  isUntouched,
  type KnownFile,
  type SeenFile,
} from './files.ts';
import type { Answer, StepOf } from './plan.ts';
import type { ScannedFile } from './scan.ts';

/** How much is hashed before the next plan, so that uploads do not wait for all of it. */
const HASH_FILES = 1000;
const HASH_BYTES = 512 * 1_048_576;
const HASHED_AT_ONCE = 262_144;
const PIECE = 65_536;

/** A file was changed while it was read, so the result is invalid. */
export class Changed extends Error {
  override readonly name = 'Changed';
}

/** A file as it was scanned, and its path on the disk. */
export interface Outgoing {
  file: SeenFile;
  disk: string;
}

/** @throws Changed if the file has changed since it was scanned */
export async function mustBeUntouched({ file, disk }: Outgoing): Promise<void> {
  const found = await lstat(disk).catch(() => null);
  const same =
    found?.isFile() &&
    isUntouched(file, { ...file, size: found.size, mtime: found.mtimeMs, inode: found.ino });
  if (!same) throw new Changed(`${file.path} was changed while it was sent.`);
}

/**
 * The bytes of a file, in pieces.
 * @throws Changed if it has changed before or after reading
 */
export async function* contentOf(one: Outgoing): AsyncGenerator<Uint8Array> {
  await mustBeUntouched(one);
  const handle = await open(one.disk);
  try {
    let left = one.file.size;
    while (left > 0) {
      // The previous buffer may still be in use by the request.
      const piece = new Uint8Array(Math.min(PIECE, left));
      const { bytesRead } = await handle.read(piece, 0, piece.length);
      if (bytesRead === 0) throw new Changed(`${one.file.path} was cut while it was sent.`);
      left -= bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
  await mustBeUntouched(one);
}

async function hashOf(disk: string, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  // A stream would allocate its whole buffer even for a small file.
  if (size <= HASHED_AT_ONCE) return hash.update(await readFile(disk, { signal })).digest('hex');
  const stream = createReadStream(disk, { highWaterMark: HASHED_AT_ONCE, signal });
  for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

/** What applying the steps of a round needs. */
export interface RoundTools {
  /** The files of the last scan, by their paths. */
  scanned: ReadonlyMap<string, ScannedFile>;
  /** What the server said in this round, by SHA-256. */
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
  { scanned, signal, skip, onProgress }: RoundTools,
): Promise<void> {
  let put: KnownFile[] = [];
  let bytes = 0;
  for (const { file } of steps.slice(0, HASH_FILES)) {
    if (bytes > HASH_BYTES) break;
    bytes += file.size;
    const disk = scanned.get(file.path)?.disk;
    if (disk === undefined) continue;
    try {
      await mustBeUntouched({ file, disk });
      const sha256 = await hashOf(disk, file.size, signal);
      await mustBeUntouched({ file, disk });
      put.push(...afterHash(file, memory.file(file.path), sha256));
    } catch (error) {
      if (signal.aborted) break;
      skip(file.path, error instanceof Changed);
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
