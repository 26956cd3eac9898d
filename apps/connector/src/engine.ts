import { endDevice } from '@engram/contract';
import { type ArchiveAnswer, reportOf, SyncedFolder } from '@engram/folder-sync';
import { type Clock, systemClock } from './clock.ts';
import type {
  Connector,
  ConnectorStatus,
  DeviceSettings,
  FolderSettings,
  FolderStatus,
  Preview,
} from './connector.ts';
import { Pairing } from './pairing/pairing.ts';
import { type KeychainEntry, openKeychain, openSecrets, type Secrets } from './pairing/secrets.ts';
import { createSyncServer } from './sync/apply.ts';
import { checkSettings, DEFAULT_SETTINGS, newFolder, previewFolder } from './sync/folder-rules.ts';
import { State } from './sync/state.ts';
import { Throttle } from './sync/throttle.ts';
import { emptyHome } from './system/home.ts';
import { ConnectionEndedError, toSyncError, SyncProblem } from './sync-problem.ts';

const BUSY_REPORT_INTERVAL_MS = 15_000;
const IDLE_REPORT_INTERVAL_MS = 30_000;
const CHANGE_DELAY_MS = 300;
/** How often `syncOnce` waits for files to stop changing. Some change all the time. */
const MAX_SETTLE_WAITS = 5;

export interface EngineOptions {
  home: string;
  version: string;
  clock?: Clock;
  fetch?: typeof fetch;
  /** Null for no keychain. By default the system's. */
  keychain?: KeychainEntry | null;
  autostart?: (on: boolean) => Promise<void>;
  /** Called when a scan and its list of files are no longer in use. */
  freeHeap?: () => void;
}

/** The Connector: its state, its pairing and the loop that syncs folders. */
export class Engine implements Connector {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #state: State;
  readonly #secrets: Secrets;
  readonly #pairing: Pairing;
  readonly #throttle: Throttle;
  readonly #folders = new Map<number, SyncedFolder>();
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  readonly #problem = new SyncProblem();
  #remotePaused = false;
  #reportedAt = 0;
  #lastNow = 0;
  /** Aborts uploads when syncing is paused, paired again or closed. */
  #syncAbort = new AbortController();
  #wakeUp = new AbortController();
  #lastRun: Promise<unknown> = Promise.resolve();
  #loops: Promise<unknown> = Promise.resolve();
  #changeTimer: NodeJS.Timeout | null = null;

  static async open(options: EngineOptions): Promise<Engine> {
    const { keychain = await openKeychain(options.home) } = options;
    return new Engine(options, keychain);
  }
  private constructor(options: EngineOptions, keychain: KeychainEntry | null) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#state = new State(options.home);
    this.#secrets = openSecrets(options.home, keychain);
    this.#throttle = new Throttle(this.#clock, () => this.#state.deviceSettings().bytesPerSecond);
    for (const { id } of this.#state.folders()) this.#open(id);
    this.#pairing = new Pairing({
      state: this.#state,
      secrets: this.#secrets,
      fetch: options.fetch ?? fetch,
      clock: this.#clock,
      version: options.version,
      betweenSyncs: (change) => this.#betweenSyncs('Another pairing began.', change),
      onPaired: () => {
        this.#problem.recover();
        this.#scheduleAll();
      },
      onRejected: (reason) => {
        this.#problem.message = reason;
        this.#changed();
      },
    });
  }

  #open(id: number): SyncedFolder {
    const folder = new SyncedFolder(
      () => ({
        ...this.#state.folder(id),
        archiveAnswer: this.#state.setting<ArchiveAnswer | null>(`archiveAnswer:${id}`, null),
      }),
      { now: () => this.#clock.now(), onScheduled: () => this.#wakeUp.abort() },
      this.#state.memoryOf(id).files(),
    );
    this.#folders.set(id, folder);
    return folder;
  }

  #scheduleAll(): void {
    for (const folder of this.#folders.values()) folder.schedule();
    this.#changed();
  }

  #isPaused(): boolean {
    return this.#state.setting('paused', false) || this.#remotePaused;
  }

  #changed(): void {
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = null;
      for (const listener of this.#listeners) listener();
    }, CHANGE_DELAY_MS).unref();
  }

  #statusOf(id: number, folder: SyncedFolder): FolderStatus {
    const { counts } = folder;
    const pace = this.#throttle.pace();
    const isWaiting = this.#problem.message !== null || this.#pairing.state !== 'paired';
    let { state } = folder;
    if (this.#isPaused()) state = 'paused';
    else if (state !== 'missing' && isWaiting) state = 'waiting';
    const secondsLeft = counts.waiting > 0 && pace ? Math.ceil(counts.waitingBytes / pace) : null;
    return { ...this.#state.folder(id), ...counts, state, secondsLeft };
  }

  status(): ConnectorStatus {
    const paired = this.#pairing.state === 'paired' || this.#pairing.state === 'ended';
    return {
      version: this.#options.version,
      pairing: this.#pairing.state,
      server: this.#pairing.server,
      code: this.#pairing.code,
      secretLocation: paired ? this.#secrets.location : null,
      paused: this.#isPaused(),
      problem: this.#problem.message,
      settings: this.#state.deviceSettings(),
      folders: [...this.#folders].map(([id, folder]) => this.#statusOf(id, folder)),
      newer: this.#pairing.serverInfo?.newer ?? null,
    };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async pair(server: string, key?: string): Promise<void> {
    await this.#pairing.begin(server, key);
    this.#problem.message = null;
    this.#changed();
  }

  async preview(root: string): Promise<Preview> {
    await this.#pairing.refreshServerInfo().catch(() => undefined);
    return previewFolder(root, this.#pairing.serverInfo?.limits ?? null);
  }

  async addFolder(root: string, settings: Partial<FolderSettings>): Promise<number> {
    checkSettings(settings);
    const folder = newFolder(root, this.#state.folders());
    const allSettings = { ...DEFAULT_SETTINGS, ...settings };
    const id = this.#state.addFolder(folder.root, folder.name, allSettings);
    this.#open(id).schedule();
    this.#changed();
    return id;
  }

  #folder(id: number): SyncedFolder {
    const folder = this.#folders.get(id);
    if (!folder) throw new Error('There is no such folder.');
    return folder;
  }

  async changeFolder(id: number, settings: Partial<FolderSettings>): Promise<void> {
    checkSettings(settings);
    const folder = this.#folder(id);
    const { keywords, topFolderKeyword, intervalMs, archive } = {
      ...this.#state.folder(id),
      ...settings,
    };
    this.#state.changeFolder(id, { keywords, topFolderKeyword, intervalMs, archive });
    folder.schedule();
    this.#changed();
  }

  async removeFolder(id: number): Promise<void> {
    const folder = this.#folder(id);
    await this.#betweenSyncs('A folder was removed.', () => {
      folder.unwatch();
      this.#folders.delete(id);
      this.#state.removeFolder(id);
    });
    this.#changed();
  }

  async answerArchive(id: number, archive: boolean): Promise<void> {
    const folder = this.#folder(id);
    const files = folder.counts.archiveAsked;
    if (files === 0) throw new Error('This folder has no question to answer.');
    this.#state.set(`archiveAnswer:${id}`, { archive, files } satisfies ArchiveAnswer);
    folder.schedule();
  }

  async changeSettings(settings: Partial<DeviceSettings>): Promise<void> {
    const { autostart } = settings;
    if (autostart !== undefined) await this.#options.autostart?.(autostart);
    this.#state.set('device', { ...this.#state.deviceSettings(), ...settings });
    this.#changed();
  }

  pause(): void {
    this.#state.set('paused', true);
    this.#syncAbort.abort(new Error('Paused.'));
    this.#changed();
  }

  resume(): void {
    this.#state.set('paused', false);
    this.#scheduleAll();
  }

  /** Aborts the current sync, and makes a change before the sync loop begins the next one. */
  #betweenSyncs(reason: string, change: () => void = () => undefined): Promise<void> {
    this.#syncAbort.abort(new Error(reason));
    const changed = this.#lastRun.then(change);
    this.#lastRun = changed.catch(() => undefined);
    return changed;
  }

  #fail(error: unknown): void {
    const syncError = toSyncError(error);
    this.#problem.add(syncError, this.#clock.now());
    if (syncError instanceof ConnectionEndedError) {
      this.#pairing.end();
      this.#syncAbort.abort(syncError);
    }
    this.#changed();
  }

  /** Syncs one folder at a time. Returns whether it succeeded. */
  #run(id: number, folder: SyncedFolder): Promise<boolean> {
    const run = this.#lastRun.then(async () => {
      const { session, deviceId } = this.#pairing;
      if (!session || this.#isPaused() || !this.#folders.has(id)) return false;
      if (this.#syncAbort.signal.aborted) this.#syncAbort = new AbortController();
      const { signal } = this.#syncAbort;
      try {
        await this.#pairing.refreshServerInfo();
        const memory = this.#state.memoryOf(id);
        const server = createSyncServer({
          client: session.client,
          deviceId: deviceId ?? '',
          folder: this.#state.folder(id),
          throttle: this.#throttle,
          memory,
          signal,
        });
        let lastCounts = folder.counts;
        const onChange = (): void => {
          if (folder.counts !== lastCounts) this.#options.freeHeap?.();
          lastCounts = folder.counts;
          this.#changed();
        };
        const limits = this.#pairing.serverInfo?.limits ?? null;
        await folder.run({ memory, server, limits, signal, onChange });
        this.#options.freeHeap?.();
        // The user's answer applies to one round only.
        this.#state.set(`archiveAnswer:${id}`, null);
        this.#problem.recover();
        const areAllCurrent = [...this.#folders.values()].every(({ state }) => state === 'current');
        if (areAllCurrent) this.#state.set('currentAt', this.#clock.now());
        return true;
      } catch (error) {
        folder.dueAt = 0;
        if (!signal.aborted) this.#fail(error);
        return false;
      }
    });
    this.#lastRun = run.catch(() => undefined);
    return run;
  }

  async syncOnce(): Promise<void> {
    const isPaired = this.#pairing.state === 'paired';
    if (!isPaired) throw new Error('The Connector is not connected to Engram yet.');
    if (this.#isPaused()) throw new Error('The Connector is paused.');
    await this.#report();
    for (const [id, folder] of this.#folders) {
      for (let waits = 0; ; waits += 1) {
        const succeeded = await this.#run(id, folder);
        if (!succeeded || !folder.isSettling || waits === MAX_SETTLE_WAITS) break;
        const wait = folder.dueAt - this.#clock.now();
        if (wait > 60_000) break;
        await this.#clock.sleep(wait, this.#closed.signal);
      }
      if (this.#problem.message !== null) break;
    }
    await this.#report();
  }

  /** Reports the folders' state to the server, and reads the user's requests. */
  async #report(): Promise<void> {
    const { session, deviceId } = this.#pairing;
    if (!session) return;
    this.#reportedAt = this.#clock.now();
    const report = reportOf(this.status().folders, this.#state.setting('currentAt', null));
    try {
      const { paused, syncAskedAt } = await session.report(this.#options.version, deviceId, report);
      if (paused && !this.#remotePaused) this.#syncAbort.abort(new Error('Paused in Engram.'));
      const isResumed = this.#remotePaused && !paused;
      this.#remotePaused = paused;
      const isNew =
        syncAskedAt !== null && syncAskedAt !== this.#state.setting('syncAskedAt', null);
      if (isNew) this.#state.set('syncAskedAt', syncAskedAt);
      // Only a successful sync clears the problem.
      if (isNew || isResumed || this.#problem.message !== null) this.#scheduleAll();
    } catch (error) {
      this.#fail(error);
    }
    this.#changed();
  }

  start(): void {
    this.#loops = Promise.all([this.#syncLoop(), this.#reportLoop()]);
  }

  /** Without this, timers would wait too long after the clock is set back. */
  #handleClockChange(): void {
    const now = this.#clock.now();
    if (now < this.#lastNow) {
      this.#problem.notBefore = 0;
      this.#reportedAt = 0;
      this.#scheduleAll();
    }
    this.#lastNow = now;
  }

  async #syncLoop(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      this.#handleClockChange();
      this.#wakeUp = new AbortController();
      const now = this.#clock.now();
      const canSync =
        this.#pairing.session !== null && !this.#isPaused() && now >= this.#problem.notBefore;
      const due = canSync ? [...this.#folders].filter(([, { dueAt }]) => dueAt <= now) : [];
      for (const [id, folder] of due) {
        folder.watch();
        if (!(await this.#run(id, folder))) break;
      }
      if (due.length > 0) continue;
      const times = [...this.#folders.values()].map(({ dueAt }) =>
        Math.max(dueAt, this.#problem.notBefore),
      );
      const next =
        canSync || this.#problem.notBefore > now ? Math.min(...times, now + 60_000) : now + 60_000;
      const wakeSignal = AbortSignal.any([signal, this.#wakeUp.signal]);
      await this.#clock.sleep(Math.max(next - now, 100), wakeSignal).catch(() => undefined);
    }
  }

  async #reportLoop(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const isBusy = [...this.#folders.values()].some(({ state }) => state === 'syncing');
      const due = this.#reportedAt + (isBusy ? BUSY_REPORT_INTERVAL_MS : IDLE_REPORT_INTERVAL_MS);
      const wait = Math.max(due, this.#problem.notBefore) - this.#clock.now();
      if (wait <= 0 && this.#pairing.session) await this.#report();
      else await this.#clock.sleep(Math.max(wait, 5000), signal).catch(() => undefined);
    }
  }

  async uninstall(): Promise<void> {
    await this.#options.autostart?.(false).catch(() => undefined);
    const id = this.#pairing.deviceId;
    if (this.#pairing.session && id !== null) {
      // If the server is unavailable, the device is removed here anyway.
      await this.#pairing.session.client.call(endDevice, { params: { id } }).catch(() => undefined);
    }
    this.#secrets.forget();
    await this.close();
    emptyHome(this.#options.home);
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return;
    this.#pairing.cancel();
    this.#closed.abort();
    await this.#betweenSyncs('The Connector is closing.');
    await this.#loops.catch(() => undefined);
    for (const folder of this.#folders.values()) folder.unwatch();
    if (this.#changeTimer) clearTimeout(this.#changeTimer);
    this.#state.close();
  }
}
