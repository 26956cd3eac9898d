import type { OpenUsers } from './open-users.ts';
import { Serial } from './serial.ts';
import type { IndexLog, UserIndex } from './user-index.ts';

/** What the schedule needs of time, in milliseconds. */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // A merge that waits for idleness is no reason to keep the process running.
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** A user counts as idle after this long without a write or a question. */
const idleMilliseconds = 5000;
/** Deleted bytes go within this time even when the user is never idle. */
const longestRemovalMilliseconds = 60_000;
/** So many rows are merged at once, idle or not. */
const mostDeltaRows = 16_000;

/** The delta is worth a merge at a twentieth of the large table: a merge costs as much as the table is large. */
function rowsWorthMerging(mainRows: number): number {
  return Math.min(2000, Math.max(200, mainRows / 20));
}

interface Waiting {
  timer: unknown;
  lastTouch: number;
  removalSince: number | null;
}

/** Decides when a user's delta is merged; one merge at a time over all users. */
export class MergeSchedule {
  readonly #users: OpenUsers;
  readonly #clock: Clock;
  readonly #log: IndexLog;
  readonly #merges = new Serial();
  readonly #waiting = new Map<string, Waiting>();
  readonly #merging = new Set<string>();
  #closed = false;

  constructor(users: OpenUsers, clock: Clock, log: IndexLog) {
    this.#users = users;
    this.#clock = clock;
    this.#log = log;
  }

  /** A user wrote or asked: the wait for idleness begins anew. */
  touched(userId: string): void {
    if (this.#closed) return;
    const waiting = this.#waiting.get(userId);
    if (waiting) waiting.lastTouch = this.#clock.now();
    else this.#wait(userId, { timer: null, lastTouch: this.#clock.now(), removalSince: null });
  }

  #wait(userId: string, waiting: Waiting): void {
    waiting.timer = this.#clock.setTimeout(
      () => void this.#consider(userId, waiting),
      idleMilliseconds / 5,
    );
    this.#waiting.set(userId, waiting);
  }

  async #consider(userId: string, waiting: Waiting): Promise<void> {
    const now = this.#clock.now();
    const idle = now - waiting.lastTouch >= idleMilliseconds;
    try {
      await this.#users.use(userId, async (user) => {
        if (this.#closed || this.#waiting.get(userId) !== waiting) return;
        if (user.wantsCleanUp) waiting.removalSince ??= now;
        if (this.#isDue(user, waiting, idle, now)) {
          this.#waiting.delete(userId);
          this.#merge(userId);
        } else if (idle) this.#waiting.delete(userId);
        else this.#wait(userId, waiting);
      });
    } catch (error) {
      this.#waiting.delete(userId);
      this.#log.warn({ err: error, userId }, 'A search index could not be opened for its merge.');
    }
  }

  #isDue(user: UserIndex, { removalSince }: Waiting, idle: boolean, now: number): boolean {
    if (user.deltaRows >= mostDeltaRows) return true;
    if (removalSince !== null && now - removalSince >= longestRemovalMilliseconds) return true;
    return idle && (user.wantsCleanUp || user.deltaRows >= rowsWorthMerging(user.mainRows));
  }

  #merge(userId: string): void {
    if (this.#merging.has(userId)) return;
    this.#merging.add(userId);
    void this.#merges
      .run(async () => {
        // Forgotten meanwhile: opening the user would make its folder again.
        if (this.#closed || !this.#merging.has(userId)) return;
        await this.#users.use(userId, (user) => user.merge());
      })
      .catch((error: unknown) => {
        this.#log.warn({ err: error, userId }, 'Merging a search index failed; it is tried again.');
        this.touched(userId);
      })
      .finally(() => this.#merging.delete(userId));
  }

  forget(userId: string): void {
    const waiting = this.#waiting.get(userId);
    if (waiting) this.#clock.clearTimeout(waiting.timer);
    this.#waiting.delete(userId);
    this.#merging.delete(userId);
  }

  close(): void {
    this.#closed = true;
    for (const userId of this.#waiting.keys()) this.forget(userId);
  }
}
