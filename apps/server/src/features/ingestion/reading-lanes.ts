import { type FileType, fileTypeEntry } from '@engram/contract';

/** Each lane has its own processes and queue, so that slow files do not delay others. */
export type ReadingLane = 'short' | 'normal' | 'slow';

/** Files that are text by their bytes and no larger are short, in bytes. */
export const SHORT_FILE_BYTES = 65_536;

interface LaneBounds {
  /** The name of its job queue. */
  queue: string;
  /** Files at the same time, in total and of one user. */
  files: number;
  filesOfUser: number;
  /** Milliseconds of reading after which a file moves to the next lane; null if it stays. */
  moveAfterMs: number | null;
  next: ReadingLane | null;
}

export const READING_LANES: Record<ReadingLane, LaneBounds> = {
  // Many more than processes, so that small files share their commits.
  short: {
    queue: 'read-artifact',
    files: 64,
    filesOfUser: 56,
    moveAfterMs: 2000,
    next: 'normal',
  },
  normal: {
    queue: 'read-long-artifact',
    files: 32,
    filesOfUser: 24,
    moveAfterMs: 20_000,
    next: 'slow',
  },
  slow: { queue: 'read-slow-artifact', files: 4, filesOfUser: 1, moveAfterMs: null, next: null },
};

/** The first lane of a file. */
export const laneOf = ({ fileType, size }: { fileType: FileType; size: number }): ReadingLane =>
  fileTypeEntry(fileType).content === 'text' && size <= SHORT_FILE_BYTES ? 'short' : 'normal';
