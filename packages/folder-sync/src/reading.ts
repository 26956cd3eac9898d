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
import type { StepOf } from './plan.ts';
import type { ScannedFile } from './scan.ts';

/** How much is looked into before the next plan, so that sending does not wait for all of it. */
const HASH_FILES = 1000;
const HASH_BYTES = 512 * 1_048_576;
const HASHED_AT_ONCE = 262_144;
const PIECE = 65_536;

/** A file was changed while it was read: what was made of it is worth nothing. */
export class Changed extends Error {
  override readonly name = 'Changed';
}

/** A file to read: what it was when it was looked at, and where the disk has it. */
export interface Outgoing {
  file: SeenFile;
  disk: string;
}

/** A file is only sent while it is the one that was hashed. */
export async function mustBeUntouched({ file, disk }: Outgoing): Promise<void> {
  const found = await lstat(disk).catch(() => null);
  const same =
    found?.isFile() &&
    isUntouched(file, { ...file, size: found.size, mtime: found.mtimeMs, inode: found.ino });
  if (!same) throw new Changed(`${file.path} was changed while it was sent.`);
}

/**
 * The bytes of a file, in pieces.
 * @throws Changed where it is not what it was, before or after.
 */
export async function* contentOf(one: Outgoing): AsyncGenerator<Uint8Array> {
  await mustBeUntouched(one);
  const handle = await open(one.disk);
  try {
    let left = one.file.size;
    while (left > 0) {
      // A piece of its own each time: the one before is still on its way out.
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
  // A stream makes room for as much as it may read, however small its file is.
  if (size <= HASHED_AT_ONCE) return hash.update(await readFile(disk, { signal })).digest('hex');
  const stream = createReadStream(disk, { highWaterMark: HASHED_AT_ONCE, signal });
  for await (const piece of stream as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

/** What a round passes to the code that does its steps. */
export interface RoundTools {
  /** The files of the last walk, by their paths. */
  scanned: ReadonlyMap<string, ScannedFile>;
  signal: AbortSignal;
  /** Called for a file that cannot be read or does not stand still. */
  passOver: (path: string, isChanging: boolean) => void;
  onProgress: () => void;
}

/** Looks into files, as many as are worth it before the next plan. */
export async function lookInto(
  steps: readonly StepOf<'hash'>[],
  memory: Pick<FolderMemory, 'file' | 'write'>,
  { scanned, signal, passOver, onProgress }: RoundTools,
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
      passOver(file.path, error instanceof Changed);
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
