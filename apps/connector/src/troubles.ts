import { ApiError, Ended, Later } from '@engram/client';
import { Changed } from '@engram/folder-sync';

export { Ended, Later };

const LONGEST_SECONDS = 300;

/** Milliseconds before the next try after some failures in a row. */
const pauseAfter = (failures: number, seconds: number | null): number =>
  Math.min(seconds ?? 2 ** Math.min(failures, 10), LONGEST_SECONDS) * 1000;

/** Whether a refusal is about the request itself and would come again. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

/** What SQLite says where it found no room, and where the disk did not do what it was asked for. */
const [FULL, DISK_FAILURES] = [13, [8, 10, 13, 14]];

/** Why the state cannot be stored, or null if the disk is not the reason. */
function diskTrouble(error: unknown): string | null {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The first byte is the kind; the others say what it was about.
  const kind = typeof errcode === 'number' ? errcode & 0xff : null;
  if (code === 'ENOSPC' || code === 'EDQUOT' || kind === FULL) {
    return 'The disk on which the Connector keeps its state is full. Syncing continues when there is room.';
  }
  if (kind === null || !DISK_FAILURES.includes(kind)) return null;
  return `The Connector cannot keep its state at the moment (${(error as Error).message}). Is its disk full?`;
}

/** What a failed call means: the connection has ended, or it is retried later. */
export function meaningOf(error: unknown): unknown {
  if (error instanceof Ended || error instanceof Later || error instanceof Changed) return error;
  if (error instanceof ApiError) {
    if (error.status === 401 || error.code === 'device_not_found') return new Ended(error.message);
    const seconds = error.retryAfterMs === null ? null : error.retryAfterMs / 1000;
    return new Later(error.message, seconds, error);
  }
  if (error instanceof Error && error.name === 'AbortError') return error;
  const disk = error instanceof Error ? diskTrouble(error) : null;
  if (disk !== null) return new Later(disk, null, error);
  // A fetch that fails hides what went wrong, and a stream's own error, in its cause.
  const cause = error instanceof Error ? error.cause : null;
  if (cause instanceof Changed || cause instanceof Ended || cause instanceof Later) return cause;
  return error instanceof TypeError
    ? new Later('Engram cannot be reached at the moment.', null, error)
    : error;
}

/** Why nothing is synced at the moment, and when the next attempt is. */
export class Troubles {
  now: string | null = null;
  notBefore = 0;
  #failures = 0;

  /** Counts a failure: each one in a row is waited for longer. */
  add(meaning: unknown, now: number): void {
    this.now = meaning instanceof Error ? meaning.message : String(meaning);
    if (meaning instanceof Ended) return;
    this.#failures += 1;
    const seconds = meaning instanceof Later ? meaning.seconds : null;
    this.notBefore = now + pauseAfter(this.#failures, seconds);
  }

  recover(): void {
    this.now = null;
    this.notBefore = 0;
    this.#failures = 0;
  }
}
