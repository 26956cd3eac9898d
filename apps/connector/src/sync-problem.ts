import { ApiError, ConnectionEndedError, RetryLaterError } from '@engram/client';
import { FileChangedError } from '@engram/folder-sync';

export { ConnectionEndedError, RetryLaterError };

const MAX_BACKOFF_SECONDS = 300;

/** The backoff in milliseconds after a number of consecutive failures. */
const backoffMs = (failures: number, seconds: number | null): number =>
  Math.min(seconds ?? 2 ** Math.min(failures, 10), MAX_BACKOFF_SECONDS) * 1000;

/** Whether an error is about the request itself, so that a retry would fail too. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

/** SQLite's error codes for a full disk, and for all disk failures. */
const [FULL, DISK_FAILURES] = [13, [8, 10, 13, 14]];

/** Why the state cannot be stored, or null if the disk is not the reason. */
function diskProblem(error: unknown): string | null {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The low byte is the primary error code.
  const kind = typeof errcode === 'number' ? errcode & 0xff : null;
  if (code === 'ENOSPC' || code === 'EDQUOT' || kind === FULL) {
    return "The disk with the Connector's data is full. Syncing continues when there is space.";
  }
  if (kind === null || !DISK_FAILURES.includes(kind)) return null;
  return `The Connector cannot store its data at the moment (${(error as Error).message}). Is the disk full?`;
}

/** Converts an error of a call to one that says whether to pair again or to retry later. */
export function toSyncError(error: unknown): unknown {
  if (
    error instanceof ConnectionEndedError ||
    error instanceof RetryLaterError ||
    error instanceof FileChangedError
  )
    return error;
  if (error instanceof ApiError) {
    if (error.status === 401 || error.code === 'device_not_found')
      return new ConnectionEndedError(error.message);
    const seconds = error.retryAfterMs === null ? null : error.retryAfterMs / 1000;
    return new RetryLaterError(error.message, seconds, error);
  }
  if (error instanceof Error && error.name === 'AbortError') return error;
  const disk = error instanceof Error ? diskProblem(error) : null;
  if (disk !== null) return new RetryLaterError(disk, null, error);
  // A failed fetch has the original error, such as a stream's own, in its cause.
  const cause = error instanceof Error ? error.cause : null;
  if (
    cause instanceof FileChangedError ||
    cause instanceof ConnectionEndedError ||
    cause instanceof RetryLaterError
  )
    return cause;
  return error instanceof TypeError
    ? new RetryLaterError('Engram cannot be reached at the moment.', null, error)
    : error;
}

/** Why syncing stopped, and when it is retried. */
export class SyncProblem {
  message: string | null = null;
  notBefore = 0;
  #failures = 0;

  /** Records a failure. Consecutive failures increase the backoff. */
  add(error: unknown, now: number): void {
    this.message = error instanceof Error ? error.message : String(error);
    if (error instanceof ConnectionEndedError) return;
    this.#failures += 1;
    const seconds = error instanceof RetryLaterError ? error.seconds : null;
    this.notBefore = now + backoffMs(this.#failures, seconds);
  }

  recover(): void {
    this.message = null;
    this.notBefore = 0;
    this.#failures = 0;
  }
}
