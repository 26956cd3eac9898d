import type { Readable } from 'node:stream';

/** The size in bytes, and the SHA-256 in lower-case hexadecimal. */
export interface StoredBytes {
  size: number;
  sha256: string;
}

export interface FileState {
  size: number;
  /** When it was written, by the clock of the store. */
  changedAt: Date;
}

/** A byte range as in HTTP, from 0 and inclusive. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/**
 * Stores users' files by key. Keys never contain a user's file name (see {@link requireKey}). An invalid one
 * causes a `TypeError`. A prefix consists of the leading folders of keys.
 */
export interface FileStore {
  assertUsable(): Promise<void>;
  /**
   * Stores a stream with constant memory, and replaces a file with the same key. The bytes are on the disk
   * when this resolves. If the stream fails, nothing is stored.
   */
  write(key: string, content: Readable): Promise<StoredBytes>;
  /** @throws FileNotFoundError immediately, not through the stream */
  read(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<FileState>;
  remove(key: string): Promise<void>;
  /** Removes all files below a prefix, `<userId>` or `<userId>/<artifactId>`. */
  removePrefix(prefix: string): Promise<void>;
  /** Runs work with local paths, which are valid until it ends. @throws FileNotFoundError */
  withLocalFiles<Result>(
    keys: readonly string[],
    use: (paths: string[]) => Promise<Result>,
  ): Promise<Result>;
  /** All keys below a prefix ('' for all), sorted, without incomplete files. */
  list(prefix: string): Promise<string[]>;
  owners(): Promise<string[]>;
  /** Counts writes that a crash interrupted before the given time. */
  abandonedWrites(before: Date): Promise<number>;
  removeAbandonedWrites(before: Date): Promise<void>;
  close(): void;
}

export class FileNotFoundError extends Error {
  readonly key: string;

  constructor(key: string) {
    super('The file is not in the store.');
    this.name = 'FileNotFoundError';
    this.key = key;
  }
}

/** The result of a request; null if the file does not exist. */
export const orNotFound = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof FileNotFoundError) return null;
    throw error;
  });

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const name = '[a-z0-9][a-z0-9._-]{0,63}';
const keyPattern = new RegExp(`^${uuid}(/${uuid})?(/${name}){1,3}$`);
const ownerPattern = new RegExp(`^${uuid}$`);
const prefixPattern = new RegExp(`^${uuid}(/${uuid})?(/${name}){0,2}/?$`);

/** `<userId>[/<artifactId>]/<name>[/<name>[/<name>]]`: lower-case UUIDs, names that begin with a letter or digit. */
export function requireKey(key: string): void {
  if (!keyPattern.test(key)) throw new TypeError('Not a valid key of a stored file.');
}

export const isOwner = (name: string): boolean => ownerPattern.test(name);

export function requirePrefix(prefix: string): void {
  if (!prefixPattern.test(prefix)) throw new TypeError('Not a valid prefix of stored files.');
}
