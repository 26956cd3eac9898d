import type { FolderReport } from '@engram/contract';
import { applySteps, type SyncServer } from './apply.ts';
import { type Counts, countFiles } from './counts.ts';
import { type FolderMemory, isUnchanged, type KnownFile } from './files.ts';
import { type Answer, type ArchiveAnswer, makePlan, type Plan } from './plan.ts';
import type { RoundContext } from './reading.ts';
import { type Scan, scanFolder, type ScannedFile, type SizeLimits } from './scan.ts';
import { FolderWatch } from './watching.ts';

/** Delay of a scan after a change, and the minimum time between scans. */
const CHANGE_DELAY_MS = 2000;
const MIN_SCAN_MS = 10_000;
/** Interval of scans of a missing folder. */
const MISSING_MS = 30_000;
/** How long changing and unreadable files are skipped. */
const CHANGING_MS = 10_000;
const UNREADABLE_MS = 300_000;
/** Minimum time between counts during a round. */
const COUNT_MS = 2000;

export interface SyncSettings {
  root: string;
  /** The first part of its files' paths. */
  name: string;
  /** Interval of scans without a change, in milliseconds. */
  intervalMs: number;
  /** Whether removed files are archived in Engram. */
  archive: boolean;
  archiveAnswer: ArchiveAnswer | null;
}

interface SyncContext {
  memory: FolderMemory;
  server: SyncServer;
  limits: SizeLimits | null;
  signal: AbortSignal;
  /** Called after each change of the state and the counts. */
  onChange?: () => void;
}

/** A synced folder, with its state and the time of its next scan. */
export class SyncedFolder {
  readonly #settings: () => SyncSettings;
  readonly #now: () => number;
  readonly #onScheduled: () => void;
  #watch: FolderWatch | null = null;
  #scannedAt = 0;
  /** When each file was first seen with its current size and time. */
  readonly #since = new Map<string, { file: ScannedFile; at: number }>();
  /** Files that are skipped because they could not be read or were changing. */
  readonly #skipped = new Map<string, { until: number; isChanging: boolean }>();
  /** The server's answers in this round. */
  readonly #answers = new Map<string, Answer>();
  /** When it is scanned next. */
  dueAt = 0;
  state: FolderReport['state'] = 'syncing';
  counts: Counts;
  /** Whether it only waits for files to stop changing. */
  isSettling = false;

  /** @param onScheduled called when the next scan is due earlier than before */
  constructor(
    settings: () => SyncSettings,
    { now, onScheduled }: { now: () => number; onScheduled: () => void },
    known: readonly KnownFile[] = [],
  ) {
    this.#settings = settings;
    this.#now = now;
    this.#onScheduled = onScheduled;
    this.counts = countFiles(null, known, 0);
  }

  /** Scans the folder soon. */
  schedule(delayMs = 0): void {
    this.dueAt = Math.min(this.dueAt, this.#now() + delayMs);
    this.#onScheduled();
  }

  /** Also scans the folder soon after changes. Without it, scans are periodic. */
  watch(): void {
    if (this.#watch) return;
    this.#watch = new FolderWatch(() =>
      this.schedule(Math.max(CHANGE_DELAY_MS, this.#scannedAt + MIN_SCAN_MS - this.#now())),
    );
    this.#watch.follow([this.#settings().root]);
  }

  unwatch(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  /** Scans and syncs the folder. Throws if syncing is paused or the server is unavailable. */
  async run(context: SyncContext): Promise<void> {
    this.state = 'syncing';
    this.dueAt = Infinity;
    context.onChange?.();
    const { limits, signal } = context;
    const { intervalMs, root, name } = this.#settings();
    const scan = await scanFolder({ root, name, limits, signal });
    const retryAt = scan.found ? await this.#sync(context, scan) : null;
    const now = this.#now();
    this.#scannedAt = now;
    // A watcher of a deleted folder does not see a new folder in its place.
    this.#watch?.follow(scan.found ? scan.folders : []);
    this.isSettling = retryAt !== null;
    if (!scan.found) this.state = 'missing';
    else if (this.counts.waiting === 0) this.state = 'current';
    const next = now + (scan.found ? intervalMs : Math.min(intervalMs, MISSING_MS));
    this.dueAt = Math.min(this.dueAt, next, Math.max(retryAt ?? next, now + 1000));
    context.onChange?.();
  }

  /** Plans and applies steps until no steps are left. Returns when a waiting file may continue. */
  async #sync(context: SyncContext, scan: Scan): Promise<number | null> {
    const { memory, signal } = context;
    this.#answers.clear();
    const scanned = new Map(scan.files.map((file) => [file.path, file]));
    for (const path of this.#since.keys()) if (!scanned.has(path)) this.#since.delete(path);
    let countedAt = 0;
    const tools: RoundContext = {
      scanned,
      answers: this.#answers,
      signal,
      skip: (path, isChanging) => {
        const until = this.#now() + (isChanging ? CHANGING_MS : UNREADABLE_MS);
        this.#skipped.set(path, { until, isChanging });
      },
      onProgress: () => {
        if (this.#now() - countedAt < COUNT_MS) return;
        countedAt = this.#now();
        this.#count(context, scan, 0);
      },
    };
    for (;;) {
      const { steps, retryAt, archiveAsked } = this.#plan(memory, scan);
      if (steps.length === 0) {
        this.#count(context, scan, archiveAsked);
        if (retryAt === null) this.#since.clear();
        return retryAt;
      }
      await applySteps(steps, { ...context, tools });
    }
  }

  #count({ memory, onChange }: SyncContext, scan: Scan, archiveAsked: number): void {
    const isUnreadable = (path: string) => this.#skipped.get(path)?.isChanging === false;
    this.counts = countFiles(scan, memory.files(), archiveAsked, isUnreadable);
    onChange?.();
  }

  #plan(memory: FolderMemory, scan: Scan): Plan {
    const { archive, archiveAnswer } = this.#settings();
    const now = this.#now();
    for (const entry of this.#skipped.values())
      entry.until = Math.min(entry.until, now + UNREADABLE_MS);
    const isSkipped = (path: string): boolean => (this.#skipped.get(path)?.until ?? 0) > now;
    const plan = makePlan({
      now,
      archive,
      archiveAnswer,
      seen: scan.files.filter(({ path }) => !isSkipped(path)),
      known: memory.files(),
      isHidden: (path) => isSkipped(path) || scan.isHidden(path),
      // A folder that is suddenly empty is more likely an unmounted disk.
      complete: scan.complete && scan.files.length > 0,
      since: (file) => this.#sinceOf(file as ScannedFile, now),
      answers: this.#answers,
      wasSent: (artifact) => memory.wasSent(artifact),
      elsewhere: (sha256) => memory.elsewhere(sha256),
    });
    for (const [path, { until, isChanging }] of this.#skipped) {
      if (until <= now) this.#skipped.delete(path);
      // The next periodic scan tries files that could not be read.
      else if (isChanging) plan.retryAt = Math.min(plan.retryAt ?? until, until);
    }
    return plan;
  }

  #sinceOf(file: ScannedFile, now: number): number {
    const previous = this.#since.get(file.path);
    // A future time is from before the clock was set back.
    if (previous && isUnchanged(previous.file, file)) return Math.min(previous.at, now);
    this.#since.set(file.path, { file, at: now });
    return now;
  }
}
