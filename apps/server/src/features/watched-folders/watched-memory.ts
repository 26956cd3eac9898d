import {
  type Elsewhere,
  type FileChange,
  type FolderMemory,
  held,
  type KnownFile,
  newlyKnown,
  type SeenFile,
} from '@engram/folder-sync';
import type { SentFile } from '../artifacts/folder-files.ts';

/** Whether a file has the same size and time as its row, which has whole milliseconds. */
const isAsSent = ({ size, modifiedAt }: SentFile, seen: SeenFile): boolean =>
  size === seen.size && modifiedAt?.getTime() === Math.trunc(seen.mtime);

/** What is known of a file that has changed since it was uploaded. */
const bySentAlone = ({ size, modifiedAt }: SentFile, path: string): SeenFile => ({
  path,
  size,
  mtime: modifiedAt?.getTime() ?? 0,
  inode: -1,
});

/** What is known of a folder's files while the server runs. A start derives it from the artifacts. */
export class WatchedMemory implements FolderMemory {
  readonly #files = new Map<string, KnownFile>();
  readonly #sent = new Set<string>();
  readonly #elsewhere: (sha256: string) => Elsewhere | null;

  /**
   * @param deviceId the device of the folder
   * @param sent files that it may move and replace, oldest first
   * @param seen the files in the folder
   */
  constructor(
    elsewhere: (sha256: string) => Elsewhere | null,
    deviceId: string,
    { sent, seen }: { sent: readonly SentFile[]; seen: readonly SeenFile[] },
  ) {
    this.#elsewhere = elsewhere;
    const there = new Map(seen.map((file) => [file.path, file]));
    const settled = new Set<string>();
    for (const row of sent) {
      this.#sent.add(row.id);
      const { path } = row;
      // A file of a removed device may be another one, so it is hashed again.
      if (row.deviceId !== deviceId || path === null || settled.has(path)) continue;
      const file = there.get(path);
      const isThere = file !== undefined && isAsSent(row, file);
      if (isThere) settled.add(path);
      const known = { ...newlyKnown(isThere ? file : bySentAlone(row, path)), sha256: row.sha256 };
      this.#files.set(path, held(known, row.id, { sentByUs: true, placed: true }));
    }
  }

  files(): KnownFile[] {
    return [...this.#files.values()];
  }

  file(path: string): KnownFile | null {
    return this.#files.get(path) ?? null;
  }

  write(...changes: FileChange[]): void {
    for (const { put = [], drop = [], release = null } of changes) {
      if (release !== null) this.#release(release);
      for (const path of drop) this.#files.delete(path);
      for (const file of put) {
        this.#files.set(file.path, file);
        if (file.sentByUs && file.artifact) this.#sent.add(file.artifact);
      }
    }
  }

  #release(artifact: string): void {
    const nothing = { artifact: null, heldSha256: null, heldSize: null };
    for (const file of this.#files.values()) {
      if (file.artifact !== artifact) continue;
      this.#files.set(file.path, { ...file, ...nothing, sentByUs: false, placed: false });
    }
  }

  wasSent(artifact: string): boolean {
    return this.#sent.has(artifact);
  }

  elsewhere(sha256: string): Elsewhere | null {
    return this.#elsewhere(sha256);
  }

  /** A file with the given bytes, for another folder, which must not move it. */
  holderOf(sha256: string): Elsewhere | null {
    for (const { path, artifact, heldSha256, goneAt, ...file } of this.#files.values()) {
      if (artifact === null || goneAt !== null) continue;
      if (heldSha256 !== sha256 || file.sha256 !== sha256) continue;
      return { path, artifact, sentByUs: false, placed: true };
    }
    return null;
  }
}
