import {
  type DeviceReport,
  type FolderReport,
  FOLDERS_LIMIT,
  REFUSED_NAMED,
} from '@engram/contract';
import { isRejected, isUnchanged, type KnownFile } from './files.ts';
import type { LeftOut, Scan } from './scan.ts';

const MAX_LISTED = 100;

/** The numbers of a folder's files that users see. */
export interface Counts {
  files: number;
  waiting: number;
  refused: number;
  waitingBytes: number;
  leftOut: LeftOut[];
  /** Files that are archived only after the user confirms it, because they are many. */
  archiveAsked: number;
}

const isStored = ({ artifact, heldSha256, sha256 }: KnownFile): boolean =>
  artifact !== null && heldSha256 === sha256;

const REASONS: Partial<Record<string, string>> = {
  deleted: 'You deleted it in Engram.',
  failed: 'Engram cannot read it.',
  large: 'It is too large for Engram.',
  type: 'Engram does not support files of this type.',
  refused: 'Engram rejected it.',
};

/** Counts the files of a folder. Before the first scan, the known files are counted. */
export function countFiles(
  scan: Scan | null,
  known: readonly KnownFile[],
  archiveAsked: number,
  isUnreadable: (path: string) => boolean = () => false,
): Counts {
  const byPath = new Map(known.map((file) => [file.path, file]));
  const leftOut: LeftOut[] = [...(scan?.leftOut ?? [])];
  const counts: Counts = {
    files: 0,
    waiting: 0,
    refused: scan?.leftOutCount ?? 0,
    waitingBytes: 0,
    leftOut,
    archiveAsked,
  };
  for (const seen of scan?.files ?? known.filter(({ goneAt }) => goneAt === null)) {
    const file = byPath.get(seen.path);
    if (isUnreadable(seen.path)) {
      counts.refused += 1;
      if (leftOut.length < MAX_LISTED)
        leftOut.push({ path: seen.path, reason: 'It cannot be read.' });
    } else if (file && isUnchanged(file, seen) && isRejected(file)) {
      counts.refused += 1;
      const reason = file.reason ?? REASONS[file.verdict ?? ''] ?? 'Engram rejected it.';
      if (leftOut.length < MAX_LISTED) leftOut.push({ path: file.path, reason });
    } else if (file && isUnchanged(file, seen) && isStored(file)) counts.files += 1;
    else {
      counts.waiting += 1;
      counts.waitingBytes += seen.size;
    }
  }
  return counts;
}

type Reported = Pick<FolderReport, 'name' | 'state'> &
  Pick<Counts, 'files' | 'waiting' | 'refused' | 'leftOut'>;

/** The state of folders as a device reports it to the server. */
export const reportOf = (folders: readonly Reported[], currentAt: number | null): DeviceReport => ({
  folders: folders.slice(0, FOLDERS_LIMIT).map(({ name, state, files, waiting, refused }) => ({
    name: name.slice(0, 200),
    state,
    files,
    waiting,
    refused,
  })),
  refused: folders
    .flatMap(({ leftOut }) => leftOut)
    .slice(0, REFUSED_NAMED)
    .map(({ path, reason }) => ({ path: path.slice(0, 4000), reason: reason.slice(0, 500) })),
  currentAt: currentAt === null ? null : new Date(currentAt).toISOString(),
});
