import type { Client } from '@engram/client';
import {
  type ArchiveAnswer,
  type Counts,
  countFiles,
  FolderWatch,
  Rounds,
  type SizeLimits,
} from '@engram/folder-sync';
import type { Clock } from '../clock.ts';
import type { FolderState } from '../connector.ts';
import { freeHeap } from '../system/free-memory.ts';
import { applySteps } from './apply.ts';
import type { Folder, State } from './state.ts';
import type { Throttle } from './throttle.ts';

/** How long after something was noticed a folder is walked. */
const HINT_MS = 2000;
/** A folder that is noticed all the time is walked no more often than this. */
const LEAST_MS = 10_000;
/** How often the Connector looks whether a missing folder is back, in milliseconds. */
const MISSING_MS = 30_000;

interface SyncContext {
  client: Client;
  deviceId: string;
  limits: SizeLimits | null;
  throttle: Throttle;
  signal: AbortSignal;
  onChange: () => void;
}

/** One synced folder: when it is scanned next, and its state. */
export class SyncedFolder {
  readonly id: number;
  readonly #state: State;
  readonly #clock: Clock;
  readonly #rounds: Rounds;
  readonly #wake: () => void;
  #watch: FolderWatch | null = null;
  #walkedAt = 0;
  /** When it is scanned next. */
  dueAt = 0;
  counts: Counts;
  state: FolderState;
  /** Whether it only waits for files to stop changing. */
  isSettling = false;

  constructor(id: number, state: State, clock: Clock, wake: () => void) {
    this.id = id;
    this.#state = state;
    this.#clock = clock;
    this.#wake = wake;
    this.#rounds = new Rounds(() => ({
      ...this.stored(),
      archiveAnswer: state.setting<ArchiveAnswer | null>(`archiveAnswer:${id}`, null),
    }));
    this.counts = countFiles(null, state.files(id), 0);
    this.state = 'syncing';
  }

  stored(): Folder {
    const folder = this.#state.folders().find(({ id }) => id === this.id);
    if (!folder) throw new Error('There is no such folder.');
    return folder;
  }

  /** Scans the folder soon. */
  hint(delayMs = 0): void {
    const now = this.#clock.now();
    this.dueAt = Math.min(this.dueAt, now + delayMs);
    this.#wake();
  }

  /** Watching only makes scans happen sooner. Without it, they are periodic. */
  watch(): void {
    if (this.#watch) return;
    this.#watch = new FolderWatch(() => {
      const earliest = this.#walkedAt + LEAST_MS - this.#clock.now();
      this.hint(Math.max(HINT_MS, earliest));
    });
    this.#watch.follow([this.stored().root]);
  }

  unwatch(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  async run(context: SyncContext): Promise<void> {
    this.state = 'syncing';
    context.onChange();
    this.dueAt = Number.POSITIVE_INFINITY;
    const { found, folders, lookAgainAt } = await this.#rounds.run({
      memory: this.#state.of(this.id),
      now: () => this.#clock.now(),
      limits: context.limits,
      signal: context.signal,
      onCounts: (counts) => {
        this.counts = counts;
        context.onChange();
        freeHeap();
      },
      apply: (steps, tools) =>
        applySteps({ ...context, ...tools, state: this.#state, folder: this.stored() }, steps),
    });
    // Only now is the walk with all its files done with.
    freeHeap();
    // An answer about files that left applies to one round only.
    this.#state.set(`archiveAnswer:${this.id}`, null);
    const now = this.#clock.now();
    this.#walkedAt = now;
    // A watcher holds on to a folder that is gone, and would not see one that came in its place.
    this.#watch?.follow(folders);
    this.isSettling = lookAgainAt !== null;
    this.state = found ? (this.counts.waiting > 0 ? 'syncing' : 'current') : 'missing';
    const { intervalMs } = this.stored();
    const next = now + (found ? intervalMs : Math.min(intervalMs, MISSING_MS));
    this.dueAt = Math.min(this.dueAt, next, Math.max(lookAgainAt ?? next, now + 1000));
    context.onChange();
  }
}
