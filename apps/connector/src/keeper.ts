import { type FSWatcher, watch } from 'node:fs';
import type { Client } from '@engram/client';
import type { Clock } from './clock.ts';
import type { FolderState } from './connector.ts';
import { freeHeap } from './free-memory.ts';
import { type Counts, countFiles, Rounds } from './rounds.ts';
import type { SizeLimits } from './scan.ts';
import type { Folder, State } from './state.ts';
import type { Throttle } from './throttle.ts';

/** How long after something was noticed a folder is walked. */
const HINT_MS = 2000;
/** A folder that is noticed all the time is walked no more often than this. */
const LEAST_MS = 10_000;

export interface KeepContext {
  state: State;
  clock: Clock;
  client: Client;
  deviceId: string;
  limits: SizeLimits | null;
  throttle: Throttle;
  signal: AbortSignal;
  onChange: () => void;
}

/** One folder that is kept in step: when it is looked at next, and how far it is. */
export class Keeper {
  readonly id: number;
  readonly #state: State;
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  readonly #wake: () => void;
  #watcher: FSWatcher | null = null;
  #walkedAt = 0;
  /** When it is walked next. */
  dueAt = 0;
  counts: Counts;
  state: FolderState;
  /** Whether it waits for nothing but the clock of its files. */
  isSettling = false;

  constructor(id: number, state: State, clock: Clock, wake: () => void) {
    this.id = id;
    this.#state = state;
    this.#clock = clock;
    this.#wake = wake;
    this.#rounds = new Rounds(() => this.folder());
    this.counts = countFiles(null, state.files(id), 0);
    // Until it is walked, what was known at the last end is the best there is to say.
    const wasInStep = this.counts.files > 0 && this.counts.waiting === 0;
    this.state = wasInStep ? 'current' : 'syncing';
  }

  folder(): Folder {
    const folder = this.#state.folders().find(({ id }) => id === this.id);
    if (!folder) throw new Error('There is no such folder.');
    return folder;
  }

  /** Has the folder looked at soon, whatever the clock says. */
  hint(delayMs = 0): void {
    const now = this.#clock.now();
    this.dueAt = Math.min(this.dueAt, now + delayMs);
    this.#wake();
  }

  /** Watching is a hint to walk sooner; where it does not work, the clock alone does. */
  watch(): void {
    if (this.#watcher) return;
    try {
      const watcher = watch(this.folder().root, { recursive: true, persistent: false }, () => {
        const earliest = this.#walkedAt + LEAST_MS - this.#clock.now();
        this.hint(Math.max(HINT_MS, earliest));
      });
      watcher.on('error', () => this.unwatch());
      this.#watcher = watcher;
    } catch {
      this.#watcher = null;
    }
  }

  unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  async run(context: KeepContext): Promise<void> {
    this.state = 'syncing';
    context.onChange();
    this.dueAt = Number.POSITIVE_INFINITY;
    const { found, lookAgainAt } = await this.#rounds.run({
      ...context,
      onCounts: (counts) => {
        this.counts = counts;
        context.onChange();
      },
    });
    // Only now is the walk with all its files done with.
    freeHeap();
    const now = this.#clock.now();
    this.#walkedAt = now;
    // A watcher holds on to a folder that is gone, and would not see one that came in its place.
    if (!found) this.unwatch();
    this.isSettling = lookAgainAt !== null;
    this.state = found ? (this.counts.waiting > 0 ? 'syncing' : 'current') : 'missing';
    const next = now + this.folder().intervalMs;
    this.dueAt = Math.min(this.dueAt, next, Math.max(lookAgainAt ?? next, now + 1000));
    context.onChange();
  }
}
