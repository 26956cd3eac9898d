import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileTypeEntry, hasForeignEnding, mediaTypeOf, type FileType } from '@engram/contract';
import { detectType } from '@engram/extraction/light';
import { type FileStore, ifThere } from '../../platform/files/files.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { fileEmpty, fileTooLarge, typeNotSupported } from './artifacts.errors.ts';
import { artifactPrefix, originalKey } from '../../platform/files/keys.ts';
import type { RunningQuota } from './running-quota.ts';

/** A file whose bytes are stored, and of which the database knows nothing yet. */
export interface StoredFile {
  artifactId: string;
  fileName: string;
  fileType: FileType;
  mediaType: string;
  size: number;
  sha256: string;
  /** Typed into the panel, rather than uploaded as a file. */
  typed: boolean;
}

export interface Upload {
  fileName: string;
  content: AsyncIterable<Buffer>;
  /** Typed text is text, whatever it looks like. */
  typed?: boolean;
}

export interface IntakeLimits {
  /** Megabytes (2^20 bytes) of a file of the types whose size is that of media. */
  mediaLimitMb: number;
  /** Megabytes (2^20 bytes) of any other file. */
  uploadLimitMb: number;
}

/** Bytes from the start of a file that its type is judged by; what has fewer is a small file. */
const HEAD_BYTES = 65_536;

/**
 * Reads the first bytes of a stream; answers them, whether they are all that there is, and an
 * iterator over the whole content.
 */
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

async function* bounded(
  content: AsyncIterable<Buffer>,
  limit: number,
  refuse: () => HttpError,
  count: (bytes: number) => Promise<void>,
) {
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > limit) throw refuse();
    await count(part.length);
    yield part;
  }
}

export interface IntakeDependencies {
  files: FileStore;
  limits: IntakeLimits;
  /** Artifacts whose bytes are stored, or are about to be, and that have no row yet. */
  arriving: RunningQuota;
  /** Waits, for so many milliseconds at most, while somebody waits for an answer. */
  yieldToRequests: (patienceMs: number) => Promise<void>;
  /** Told of each file that comes, before its bytes are here. */
  expectFile: () => void;
}

/** A thousand files step back one after the other. */
const PATIENCE_MS = 25;

/** How the bytes of uploads come into the file store, before their artifacts have rows. */
export function createUploadIntake(deps: IntakeDependencies) {
  const { files, limits, arriving, yieldToRequests, expectFile } = deps;

  async function store(
    userId: string,
    artifactId: string,
    { fileName, content: given, typed = false }: Upload,
  ): Promise<StoredFile> {
    await yieldToRequests(PATIENCE_MS);
    const { head, whole } = await peek(given);
    if (head.length === 0) throw fileEmpty(fileName);
    const fileType = typed ? 'txt' : await detectType(head, fileName);
    // What is merely text is judged by its name too: a script, or XML, is no note.
    if (!fileType || (fileType === 'txt' && !typed && hasForeignEnding(fileName))) {
      throw typeNotSupported(fileName);
    }
    const limitMb =
      fileTypeEntry(fileType).size === 'media' ? limits.mediaLimitMb : limits.uploadLimitMb;
    const content = bounded(
      whole,
      limitMb * 1_048_576,
      () => fileTooLarge(fileName, limitMb),
      (bytes) => arriving.count(artifactId, bytes),
    );
    const key = originalKey(userId, artifactId);
    const { size, sha256 } = await files.write(key, Readable.from(content));
    return {
      artifactId,
      fileName,
      fileType,
      mediaType: mediaTypeOf(fileType),
      size,
      sha256,
      typed,
    };
  }

  const discard = async (userId: string, { artifactId }: StoredFile): Promise<void> => {
    // What cannot be removed now is the sweep's.
    arriving.end(artifactId);
    await files.removePrefix(artifactPrefix(userId, artifactId));
  };

  return {
    /**
     * Streams one uploaded file into the store with constant memory.
     * @throws HttpError 400, 413 or 415 when the file cannot be taken; nothing of it is kept then.
     */
    async take(userId: string, upload: Upload): Promise<StoredFile> {
      const artifactId = randomUUID();
      arriving.begin(userId, artifactId);
      expectFile();
      try {
        return await store(userId, artifactId, upload);
      } catch (error) {
        arriving.end(artifactId);
        throw error;
      }
    },

    /** Forgets the bytes of a file. */
    discard,

    /**
     * Forgets the bytes of a file that the artifact `keptId` has too; where that one has lost them,
     * these take their place. Answers whether it had.
     */
    async merge(userId: string, file: StoredFile, keptId: string): Promise<boolean> {
      const lost = (await ifThere(files.stat(originalKey(userId, keptId)))) === null;
      if (lost) {
        const content = await files.read(originalKey(userId, file.artifactId));
        await files.write(originalKey(userId, keptId), content);
      }
      await discard(userId, file);
      return lost;
    },

    /** The files are on their way no longer: they have rows from now on, or are the sweep's. */
    recorded(stored: readonly StoredFile[]): void {
      for (const { artifactId } of stored) arriving.end(artifactId);
    },
  };
}

export type UploadIntake = ReturnType<typeof createUploadIntake>;
