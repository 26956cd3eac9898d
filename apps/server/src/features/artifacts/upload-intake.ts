import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileTypeEntry, hasForeignEnding, mediaTypeOf, type FileType } from '@engram/contract';
import { detectType } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';
import type { Config } from '../../config.ts';
import { orNotFound } from '../../platform/files/files.ts';
import { fileEmpty, fileTooLarge, typeNotSupported } from './artifacts.errors.ts';
import { artifactPrefix, originalKey } from '../../platform/files/keys.ts';

/** A file with stored bytes and without a row. */
export interface StoredFile {
  artifactId: string;
  fileName: string;
  fileType: FileType;
  mediaType: string;
  size: number;
  sha256: string;
  /** Typed as a note rather than uploaded. */
  typed: boolean;
}

export interface Upload {
  fileName: string;
  content: AsyncIterable<Buffer>;
  /** Typed text is always plain text. */
  typed?: boolean;
}

/** Bytes from the start of a file that determine its type. Files up to this size count as small. */
const HEAD_BYTES = 65_536;

/** Reads the start of a stream. `ended` is true if that was the whole stream, which `whole` yields. */
export async function peek(content: AsyncIterable<Buffer>) {
  const iterator = content[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  let ended = false;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) {
      ended = true;
      break;
    }
    first.push(next.value);
    length += next.value.length;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* first;
    if (ended) return;
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      yield next.value;
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), ended, whole: whole() };
}

/** A user's bytes between two checks of the plan. */
const CHECK_EVERY_BYTES = 4 * 1_048_576;

interface QuotaUsage {
  bytes: number;
  /** The number of bytes at the last successful check. */
  checked: number;
}

/**
 * Checks the storage quota during a user's uploads and imports. The plan itself counts only files with
 * rows.
 * @param assertMayUpload throws if the plan does not allow that many more bytes
 */
export function createRunningQuota(
  assertMayUpload: (userId: string, bytes: number) => Promise<void>,
) {
  const users = new Map<string, QuotaUsage>();
  const files = new Map<string, { userId: string; bytes: number }>();

  const subtract = (file: { userId: string; bytes: number }, bytes: number): void => {
    const user = users.get(file.userId);
    if (!user) return;
    file.bytes -= bytes;
    user.bytes -= bytes;
    user.checked = Math.min(user.checked, user.bytes);
    if (user.bytes === 0) users.delete(file.userId);
  };

  return {
    begin(userId: string, artifactId: string): void {
      files.set(artifactId, { userId, bytes: 0 });
    },

    has: (artifactId: string): boolean => files.has(artifactId),

    /** @throws HttpError 402 if the user's files exceed the plan */
    async count(artifactId: string, bytes: number): Promise<void> {
      const file = files.get(artifactId);
      if (!file) return;
      const user = users.get(file.userId) ?? { bytes: 0, checked: 0 };
      users.set(file.userId, user);
      file.bytes += bytes;
      user.bytes += bytes;
      if (user.bytes - user.checked < CHECK_EVERY_BYTES) return;
      user.checked = Number.NEGATIVE_INFINITY;
      await assertMayUpload(file.userId, user.bytes);
      user.checked = user.bytes;
    },

    /** Stops counting bytes of an archive that the import has stored as files. */
    release(artifactId: string, bytes: number): void {
      const file = files.get(artifactId);
      if (file) subtract(file, Math.min(bytes, file.bytes));
    },

    /** Stops counting a file once it has a row or is removed. */
    end(artifactId: string): void {
      const file = files.get(artifactId);
      files.delete(artifactId);
      if (file) subtract(file, file.bytes);
    },
  };
}

export type RunningQuota = ReturnType<typeof createRunningQuota>;

/** Short, because an upload may have a thousand files. */
const YIELD_MS = 25;

export const limitMbOf = (
  type: FileType | null,
  { mediaLimitMb, uploadLimitMb }: Pick<Config, 'mediaLimitMb' | 'uploadLimitMb'>,
): number => (type && fileTypeEntry(type).size === 'media' ? mediaLimitMb : uploadLimitMb);

export function createUploadIntake(
  { config: limits, storage: { files, backgroundYield } }: Core,
  arriving: RunningQuota,
  expectFile: () => void,
) {
  const discard = async (userId: string, { artifactId }: StoredFile): Promise<void> => {
    arriving.end(artifactId);
    await files.removePrefix(artifactPrefix(userId, artifactId));
  };

  return {
    /** Stores a file. @throws HttpError 400, 402, 413 or 415 if it is rejected */
    async take(userId: string, { fileName, content, typed = false }: Upload): Promise<StoredFile> {
      const artifactId = randomUUID();
      arriving.begin(userId, artifactId);
      expectFile();
      try {
        await backgroundYield.yieldToRequests(YIELD_MS);
        const { head, whole } = await peek(content);
        if (head.length === 0) throw fileEmpty(fileName);
        const fileType = typed ? 'txt' : await detectType(head, fileName);
        // A script or XML file is text too, so the name decides.
        if (!fileType || (fileType === 'txt' && !typed && hasForeignEnding(fileName))) {
          throw typeNotSupported(fileName);
        }
        const limitMb = limitMbOf(fileType, limits);
        async function* bounded() {
          let bytes = 0;
          for await (const part of whole) {
            bytes += part.length;
            if (bytes > limitMb * 1_048_576) throw fileTooLarge(fileName, limitMb);
            await arriving.count(artifactId, part.length);
            yield part;
          }
        }
        const key = originalKey(userId, artifactId);
        const { size, sha256 } = await files.write(key, Readable.from(bounded()));
        const mediaType = mediaTypeOf(fileType);
        return { artifactId, fileName, fileType, mediaType, size, sha256, typed };
      } catch (error) {
        arriving.end(artifactId);
        throw error;
      }
    },

    discard,

    /**
     * Deletes the bytes of a duplicate of the artifact `originalId`, or moves them to it if its own are
     * lost. Returns whether they were lost.
     */
    async merge(userId: string, file: StoredFile, originalId: string): Promise<boolean> {
      const lost = (await orNotFound(files.stat(originalKey(userId, originalId)))) === null;
      if (lost) {
        const content = await files.read(originalKey(userId, file.artifactId));
        await files.write(originalKey(userId, originalId), content);
      }
      await discard(userId, file);
      return lost;
    },

    /** Stops counting files that have rows or whose upload failed. */
    recorded(stored: readonly StoredFile[]): void {
      for (const { artifactId } of stored) arriving.end(artifactId);
    },
  };
}

export type UploadIntake = ReturnType<typeof createUploadIntake>;
