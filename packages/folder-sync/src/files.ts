/**
 * Why a file is not uploaded: `large`, `type` (not supported), `refused` by the server, `failed` (the
 * server cannot read it) or `deleted` by the user in Engram. Or the result for a file that was removed
 * from the folder: `left` unchanged in Engram, or `archived`.
 */
export type Verdict = 'large' | 'type' | 'refused' | 'failed' | 'deleted' | 'left' | 'archived';

export interface SeenFile {
  /** Names joined by '/', the folder's own name first, in NFC. */
  path: string;
  size: number;
  /** When it was last changed, in milliseconds with fractions. */
  mtime: number;
  inode: number;
}

export interface KnownFile extends SeenFile {
  /** The hash of the bytes, or null if they are not hashed yet. */
  sha256: string | null;
  /** The artifact of the file, and the hash and size of the artifact, which may be older. */
  artifact: string | null;
  heldSha256: string | null;
  heldSize: number | null;
  /** Whether this device uploaded the artifact. Only those are renamed, replaced and archived. */
  sentByUs: boolean;
  /** Whether the artifact has this path in Engram. Other files may have the same bytes. */
  placed: boolean;
  /** Whether an upload started. After a crash it is unknown whether it arrived. */
  sending: boolean;
  verdict: Verdict | null;
  reason: string | null;
  /** When it may be tried again after a failure. */
  nextTry: number | null;
  /** When it was first missing in its folder. */
  goneAt: number | null;
}

export const fromSeen = ({ path, size, mtime, inode }: SeenFile): KnownFile => ({
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

/** Whether the bytes of a file are not uploaded. */
export const isRejected = ({ verdict }: KnownFile): boolean =>
  verdict !== null && verdict !== 'left' && verdict !== 'archived';

export const isUnchanged = (known: SeenFile, seen: SeenFile): boolean =>
  known.size === seen.size && known.mtime === seen.mtime && known.inode === seen.inode;

export const withVerdict = (
  file: KnownFile,
  verdict: Verdict,
  reason: string | null,
): KnownFile => ({
  ...file,
  verdict,
  reason,
  sending: false,
  nextTry: null,
});

/** A file whose current bytes are in an artifact. */
export const withArtifact = (
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
 * A file after hashing. An earlier removed file with the same name is another file. It is stored under
 * a name that no file can have, because it may return.
 */
export function withHash(
  seen: SeenFile,
  known: KnownFile | null,
  sha256: string,
): [KnownFile, ...KnownFile[]] {
  const previous = known ?? fromSeen(seen);
  const { path, size, mtime, inode } = seen;
  if (previous.sha256 === sha256) return [{ ...previous, path, size, mtime, inode }];
  if (previous.verdict === 'left' || previous.verdict === 'archived') {
    const renamed = { ...previous, path: `${path}\0${previous.artifact}` };
    return [{ ...fromSeen(seen), sha256 }, renamed];
  }
  const other = { verdict: null, reason: null, nextTry: null, goneAt: null, sending: false };
  // Another file may have the previous bytes and take over their place.
  const placed = previous.placed && previous.heldSha256 === sha256;
  return [{ ...previous, path, size, mtime, inode, sha256, ...other, placed }];
}

/** The time of a file in ISO 8601, or null outside of the years 1 to 9999. */
export const timeOf = (mtime: number | null): string | null => {
  if (mtime === null) return null;
  const time = new Date(mtime);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time.toISOString() : null;
};

export interface FileChange {
  put?: readonly KnownFile[];
  drop?: readonly string[];
  /** An artifact that was replaced. Only the files in `put` still have it. */
  release?: string | null;
}

/** A file of another folder with the same bytes. */
export type Elsewhere = Pick<KnownFile, 'path' | 'sentByUs' | 'placed'> & { artifact: string };

/** The stored files of one folder. */
export interface FolderMemory {
  files(): KnownFile[];
  file(path: string): KnownFile | null;
  /** Writes changes in their order. */
  write(...changes: FileChange[]): void;
  /** Whether this device uploaded an artifact, wherever its file is now. */
  wasSent(artifact: string): boolean;
  /** An existing file of another folder with the same bytes. */
  elsewhere(sha256: string): Elsewhere | null;
}
