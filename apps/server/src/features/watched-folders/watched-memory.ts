import {
  type Elsewhere,
  type FolderMemory,
  withArtifact,
  type KnownFile,
  fromSeen,
  type SeenFile,
} from '@engram/folder-sync';
import type { SentFile } from '../artifacts/folder-files.ts';

export interface WatchedMemory extends FolderMemory {
  /** A file with the given bytes, which another folder may use but not move. */
  holderOf(sha256: string): Elsewhere | null;
}

/**
 * The state of a folder's files, in memory. At startup it is derived from the artifacts.
 * @param sent files that the folder's device may move and replace, oldest first
 * @param seen the files in the folder
 */
export function createWatchedMemory(
  deviceId: string,
  sent: readonly SentFile[],
  seen: readonly SeenFile[],
  elsewhere: (sha256: string) => Elsewhere | null,
): WatchedMemory {
  const files = new Map<string, KnownFile>();
  const sentIds = new Set(sent.map(({ id }) => id));
  const present = new Map(seen.map((file) => [file.path, file]));
  const settled = new Set<string>();
  for (const { id, path, size, modifiedAt, sha256, ...row } of sent) {
    // Files of a removed device are hashed again.
    if (row.deviceId !== deviceId || path === null || settled.has(path)) continue;
    const file = present.get(path);
    // Rows store whole milliseconds.
    const isUnchanged =
      file && size === file.size && modifiedAt?.getTime() === Math.trunc(file.mtime);
    if (isUnchanged) settled.add(path);
    const changed = { path, size, mtime: modifiedAt?.getTime() ?? 0, inode: -1 };
    const known = { ...fromSeen(isUnchanged ? file : changed), sha256 };
    files.set(path, withArtifact(known, id, { sentByUs: true, placed: true }));
  }

  const release = (artifact: string): void => {
    const empty = { artifact: null, heldSha256: null, heldSize: null };
    for (const file of files.values()) {
      if (file.artifact !== artifact) continue;
      files.set(file.path, { ...file, ...empty, sentByUs: false, placed: false });
    }
  };

  return {
    files: () => [...files.values()],

    file: (path) => files.get(path) ?? null,

    write(...changes) {
      for (const { put = [], drop = [], release: replaced = null } of changes) {
        if (replaced !== null) release(replaced);
        for (const path of drop) files.delete(path);
        for (const file of put) {
          files.set(file.path, file);
          if (file.sentByUs && file.artifact) sentIds.add(file.artifact);
        }
      }
    },

    wasSent: (artifact) => sentIds.has(artifact),

    elsewhere,

    holderOf(sha256) {
      for (const { path, artifact, heldSha256, goneAt, ...file } of files.values()) {
        if (artifact === null || goneAt !== null) continue;
        if (heldSha256 !== sha256 || file.sha256 !== sha256) continue;
        return { path, artifact, sentByUs: false, placed: true };
      }
      return null;
    },
  };
}
