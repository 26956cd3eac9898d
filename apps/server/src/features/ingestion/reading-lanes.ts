import { type FileType, fileTypeEntry } from '@engram/contract';

/**
 * Where a file is read. Each lane has processes and a queue of its own, so that no file waits for
 * those of another lane, and users take turns in each.
 */
export type ReadingLane = 'short' | 'normal' | 'slow';

/** Files that are text by their bytes and no larger are short, in bytes. */
export const SHORT_FILE_BYTES = 65_536;

interface LaneBounds {
  /** The name of its job queue. */
  queue: string;
  /** Files under way at the same time, and how many of them may be one user's. */
  files: number;
  filesOfUser: number;
  /** Milliseconds of reading after which a file moves to the next lane; null where it stays. */
  moveAfterMs: number | null;
  /** The lane of files that took too long in this one. */
  next: ReadingLane | null;
}

export const READING_LANES: Record<ReadingLane, LaneBounds> = {
  // Many more than there are processes, so that small files share their commits.
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

/** The lane in which the reading of a file begins. */
export const laneOf = ({ fileType, size }: { fileType: FileType; size: number }): ReadingLane =>
  fileTypeEntry(fileType).content === 'text' && size <= SHORT_FILE_BYTES ? 'short' : 'normal';
