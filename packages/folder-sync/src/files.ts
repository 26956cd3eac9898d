/**
 * What is settled about some bytes, so that they are not sent:
 * - `large`     more than Engram takes
 * - `type`      of a type that Engram does not take
 * - `refused`   the server would not have them
 * - `failed`    the server has them and cannot read them
 * - `deleted`   the person deleted them in Engram
 *
 * or about a file that is not in the folder any more:
 * - `left`      it stays in Engram
 * - `archived`  it was archived in Engram
 */
export type Verdict = 'large' | 'type' | 'refused' | 'failed' | 'deleted' | 'left' | 'archived';

export interface SeenFile {
  /** Names joined by '/', the folder's own name first, in NFC. */
  path: string;
  size: number;
  /** When it was last changed, in milliseconds, with what the system knows of their parts. */
  mtime: number;
  inode: number;
}

export interface KnownFile extends SeenFile {
  /** Of the bytes that had this size and this time; null while they were not looked at. */
  sha256: string | null;
  /** The artifact that the file is in Engram, and the bytes that it holds: those, or older ones. */
  artifact: string | null;
  heldSha256: string | null;
  heldSize: number | null;
  /** Whether this device sent the artifact. Only those are renamed, replaced and archived. */
  sentByUs: boolean;
  /** Whether Engram was told that the artifact is at this path: one of several files with its bytes. */
  placed: boolean;
  /** Whether sending was begun. After a crash it is unknown whether it arrived. */
  sending: boolean;
  verdict: Verdict | null;
  reason: string | null;
  /** When it may be tried again, where it could not be sent. */
  nextTry: number | null;
  /** Since when it is missing in its folder. */
  goneAt: number | null;
}

/** A file of which nothing is known beyond what a walk sees. */
export const newlyKnown = ({ path, size, mtime, inode }: SeenFile): KnownFile => ({
  path,
  size,
  mtime,
  inode,
  sha256: null,
  artifact: null,
  heldSha256: null,
  heldSize: null,
  sentByUs: false,
  placed: false,
  sending: false,
  verdict: null,
  reason: null,
  nextTry: null,
  goneAt: null,
});

/** Whether nobody has touched a file since it was looked at. */
export const isUntouched = (known: SeenFile, seen: SeenFile): boolean =>
  known.size === seen.size && known.mtime === seen.mtime && known.inode === seen.inode;

/** What is known of a file of which its bytes are settled. */
export const judged = (file: KnownFile, verdict: Verdict, reason: string | null): KnownFile => ({
  ...file,
  verdict,
  reason,
  sending: false,
  nextTry: null,
});

/** What is known of a file whose bytes are in an artifact. */
export const held = (
  file: KnownFile,
  artifact: string,
  { sentByUs, placed }: Pick<KnownFile, 'sentByUs' | 'placed'>,
): KnownFile => ({
  ...file,
  artifact,
  heldSha256: file.sha256,
  heldSize: file.size,
  sentByUs,
  placed,
  sending: false,
  verdict: null,
  reason: null,
  nextTry: null,
});

/**
 * What is known of a file once its bytes were hashed. What left a while ago was another file, although
 * it had this name: it is kept under a name that no file can have, in case that it comes back.
 */
export function afterHash(
  seen: SeenFile,
  known: KnownFile | null,
  sha256: string,
): [KnownFile, ...KnownFile[]] {
  const before = known ?? newlyKnown(seen);
  const { path, size, mtime, inode } = seen;
  if (before.sha256 === sha256) return [{ ...before, path, size, mtime, inode }];
  if (before.verdict === 'left' || before.verdict === 'archived') {
    const aside = { ...before, path: `${path}\0${before.artifact}` };
    return [{ ...newlyKnown(seen), sha256 }, aside];
  }
  const other = { verdict: null, reason: null, nextTry: null, goneAt: null, sending: false };
  // Of the bytes that are not there any more another file may be the place.
  const placed = before.placed && before.heldSha256 === sha256;
  return [{ ...before, path, size, mtime, inode, sha256, ...other, placed }];
}

/** The time of a file as it is sent; null for one that no calendar of four digits has. */
export const timeOf = (mtime: number | null): string | null => {
  if (mtime === null) return null;
  const time = new Date(mtime);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : null;
};

export interface FileChange {
  put?: readonly KnownFile[];
  drop?: readonly string[];
  /** An artifact that another one took the place of: only the files that are put hold it still. */
  release?: string | null;
}

/** Another folder's file with some bytes. */
export interface Elsewhere {
  path: string;
  artifact: string;
  sentByUs: boolean;
  placed: boolean;
}

/** What is known of the files of one folder. */
export interface FolderMemory {
  files(): KnownFile[];
  file(path: string): KnownFile | null;
  write(change: FileChange): void;
  /** Whether this device sent an artifact, wherever its file is now. */
  wasSent(artifact: string): boolean;
  /** A file of another folder that is there and holds some bytes. */
  elsewhere(sha256: string): Elsewhere | null;
}
