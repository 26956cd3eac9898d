import type { Readable } from 'node:stream';

/** What a write stored. */
export interface StoredBytes {
  /** In bytes. */
  size: number;
  /** SHA-256 in lower-case hexadecimal. */
  sha256: string;
}

/** What is known of a stored file. */
export interface FileState {
  /** In bytes. */
  size: number;
  /** When its bytes came, by the clock of where they are kept. */
  changedAt: Date;
}

/** A part of a file, in bytes from 0; both ends belong to it, as in HTTP's byte ranges. */
export interface ByteRange {
  start?: number;
  /** Beyond the last byte means up to the last byte. */
  end?: number;
}

/**
 * Users' bytes by key. A key is made by the server ({@link requireKey} says how it looks) and never
 * from a user's file name; anything else is a `TypeError`. A prefix
 * is the leading folders of keys, with or without a slash at its end.
 */
export interface FileStore {
  /** Rejects where the store cannot be used at all, such as a disk that is not mounted any more. */
  assertUsable(): Promise<void>;
  /**
   * Stores a stream, whatever its length, with constant memory; a file under the same key is
   * replaced. Kept for good when it resolves; a stream that fails leaves nothing behind and rejects
   * with its own error.
   */
  write(key: string, content: Readable): Promise<StoredBytes>;
  /** @throws FileNotFoundError, at once and not through the stream. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws FileNotFoundError */
  stat(key: string): Promise<FileState>;
  /** Removes a file; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** Removes every file below a prefix, `<userId>` or `<userId>/<artifactId>`. */
  removePrefix(prefix: string): Promise<void>;
  /**
   * Runs work that reads files by paths, as child processes do, in the order of the keys. The paths
   * hold until the work ends; they are not to be written.
   * @throws FileNotFoundError
   */
  withLocalFiles<Result>(
    keys: readonly string[],
    work: (paths: string[]) => Promise<Result>,
  ): Promise<Result>;
  /** All keys below a prefix ('' for all there are), in order; files that are still being written are not among them. */
  list(prefix: string): Promise<string[]>;
  /** The first part of every key: users whose bytes are stored. */
  owners(): Promise<string[]>;
  /**
   * How many writes stopped half way because their process was killed: those of which nothing was
   * heard since a time, as another server may be writing.
   */
  abandonedWrites(before: Date): Promise<number>;
  /** Removes what those left behind. */
  removeAbandonedWrites(before: Date): Promise<void>;
  /** Ends what holds connections. */
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

/** What the store is asked for; null where there is no such file. */
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

/** Whether a name is the first part of keys: a user's id. */
export const isOwner = (name: string): boolean => ownerPattern.test(name);

/** @see requireKey */
export function requirePrefix(prefix: string): void {
  if (!prefixPattern.test(prefix)) throw new TypeError('This is no prefix of stored files.');
}
