import type { Readable } from 'node:stream';

/** The result of a write: size in bytes, and SHA-256 in lower-case hexadecimal. */
export interface StoredBytes {
  size: number;
  sha256: string;
}

export interface FileState {
  size: number;
  /** When it was written, by the clock of the store. */
  changedAt: Date;
}

/** A part of a file, in bytes from 0, inclusive as in HTTP's byte ranges. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/**
 * Users' bytes by key. The server makes keys ({@link requireKey}), never from a user's file name; an
 * invalid one is a `TypeError`. A prefix is the leading folders of keys.
 */
export interface FileStore {
  assertUsable(): Promise<void>;
  /**
   * Stores a stream of any length with constant memory, and replaces a file of the same key. It is on
   * the disk when this resolves. A stream that fails leaves nothing behind and rejects with its error.
   */
  write(key: string, content: Readable): Promise<StoredBytes>;
  /** @throws FileNotFoundError at once, not through the stream */
  read(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<FileState>;
  remove(key: string): Promise<void>;
  /** Removes all files below a prefix, `<userId>` or `<userId>/<artifactId>`. */
  removePrefix(prefix: string): Promise<void>;
  /** Runs work that reads files by paths, which are valid until it ends. @throws FileNotFoundError */
  withLocalFiles<Result>(
    keys: readonly string[],
    work: (paths: string[]) => Promise<Result>,
  ): Promise<Result>;
  /** All keys below a prefix ('' for all), in order, without incomplete files. */
  list(prefix: string): Promise<string[]>;
  owners(): Promise<string[]>;
  /** Counts writes that were interrupted by a kill, if they were last changed before a time. */
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
export const ifThere = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
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
  if (!keyPattern.test(key)) throw new TypeError('This is no key of a stored file.');
}

export const isOwner = (name: string): boolean => ownerPattern.test(name);

export function requirePrefix(prefix: string): void {
  if (!prefixPattern.test(prefix)) throw new TypeError('This is no prefix of stored files.');
}
