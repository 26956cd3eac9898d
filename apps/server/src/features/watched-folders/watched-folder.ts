import { createHash } from 'node:crypto';
import type { Device } from '@engram/contract';
import {
  type Elsewhere,
  reportOf,
  scanFolder,
  type SizeLimits,
  SyncedFolder,
} from '@engram/folder-sync';
import type { Core } from '../../composition/core.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { FolderFiles } from '../artifacts/folder-files.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import { WatchedMemory } from './watched-memory.ts';
import type { CreateWatchedServer, Sender } from './watched-server.ts';

/** Interval of scans without a change. */
const INTERVAL_MS = 300_000;
/** Intervals of reports to the server, while idle and while uploading. */
const REPORT_MS = 30_000;
const REPORT_BUSY_MS = 15_000;

const PLATFORM = 'Folder on the server';

interface WatchedFolderOptions {
  root: string;
  /** The first part of its files' paths. */
  name: string;
  /** The email address of the account. */
  email: string;
}

interface WatchedFolderDependencies {
  accounts: Pick<AuthService['accounts'], 'ofEmail'>;
  devices: Pick<DevicesService, 'keep' | 'report'>;
  folderFiles: Pick<FolderFiles, 'sentBy'>;
  createServer: CreateWatchedServer;
  limits: SizeLimits;
  /** A file with the same bytes in another watched folder of the account. */
  elsewhere: (folder: WatchedFolder, userId: string, sha256: string) => Elsewhere | null;
}

/** A stable id for the folder of an account. */
function deviceIdOf(userId: string, name: string): string {
  const hex = createHash('sha256').update(`watched folder\n${userId}\n${name}`).digest('hex');
  // A UUID of version 8 (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A folder on the server's machine that is uploaded for one account. It is never written to. */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #core: Core;
  readonly #deps: WatchedFolderDependencies;
  readonly #closing = new AbortController();
  readonly #folder: SyncedFolder;
  #work = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #sender: Sender | null = null;
  /** The account that removed the device. It is registered again at the next start. */
  #removedBy: string | null = null;
  #paused = false;
  #problem: string | null = null;
  #syncAskedAt: string | null = null;
  #currentAt: number | null = null;
  #reportedAt = 0;

  constructor(options: WatchedFolderOptions, core: Core, deps: WatchedFolderDependencies) {
    this.#options = options;
    this.#core = core;
    this.#deps = deps;
    const { root, name } = options;
    this.#folder = new SyncedFolder(
      () => ({ root, name, intervalMs: INTERVAL_MS, archive: false, archiveAnswer: null }),
      {
        now: () => this.#now(),
        onHint: () => this.#schedule(Math.max(this.#folder.dueAt - this.#now(), 0)),
      },
    );
  }

  #now(): number {
    return this.#core.now().getTime();
  }

  /** Logs a problem once, and its end. */
  #logProblem(problem: string | null): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    const { root: folder, email } = this.#options;
    const { log } = this.#core;
    if (problem === null) log.info({ folder, email }, 'a watched folder is up to date');
    else log.warn({ folder, email }, `a watched folder waits: ${problem}`);
  }

  /** Scans the folder if it is due, after the current scan. */
  scan(): Promise<void> {
    this.#queue = this.#queue.then(async () => {
      if (this.#closing.signal.aborted) return;
      try {
        await this.#scanNow();
      } catch (error) {
        // The user can solve the problem: the plan has expired, or the disk is full.
        if (error instanceof HttpError) return this.#logProblem(error.message);
        this.#core.log.error({ err: error, folder: this.#options.root }, 'a watched folder failed');
      }
    });
    return this.#queue;
  }

  /** Starts scanning the folder regularly and after changes. */
  start(): void {
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.scan().then(() => {
        const wait = this.#folder.dueAt - this.#now();
        this.#schedule(Math.min(Math.max(wait, 1000), REPORT_MS));
      });
    }, delayMs).unref();
  }

  async #scanNow(): Promise<void> {
    const sender = await this.#connect();
    if (!sender || !(await this.#sendReport(sender)) || this.#folder.dueAt > this.#now()) return;
    if (this.#work.signal.aborted) this.#work = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#work.signal]);
    try {
      await this.#sync(sender, signal);
    } catch (error) {
      this.#folder.dueAt = signal.aborted ? 0 : this.#now() + INTERVAL_MS;
      if (signal.aborted) return;
      this.#folder.state = 'waiting';
      await this.#sendReport(sender);
      throw error;
    }
    await this.#sendReport(sender);
  }

  /** The account and its device; null if the account does not exist or the device was removed. */
  async #connect(): Promise<Sender | null> {
    const { email: address, name } = this.#options;
    const account = await this.#deps.accounts.ofEmail(address);
    if (!account) {
      this.#sender = null;
      this.#logProblem('there is no account with this address yet.');
      return null;
    }
    const { userId, email } = account;
    if (this.#sender?.userId === userId || this.#removedBy === userId) return this.#sender;
    const id = deviceIdOf(userId, name);
    const description = {
      name: name.slice(0, 200),
      platform: PLATFORM,
      version: this.#core.version,
    };
    const device = await this.#deps.devices.keep(userId, id, description);
    this.#syncAskedAt = device.syncAskedAt;
    this.#folder.dueAt = 0;
    this.#sender = { userId, email, device, memory: null };
    return this.#sender;
  }

  /** Reports the state and reads the user's commands. Returns false if the folder is paused or removed. */
  async #sendReport(sender: Sender): Promise<boolean> {
    this.#reportedAt = this.#now();
    const { userId, device } = sender;
    const description = { id: device.id, name: device.name, platform: PLATFORM };
    const { counts, state: folderState } = this.#folder;
    const state = this.#paused ? 'paused' : folderState;
    const report = reportOf([{ name: this.#options.name, state, ...counts }], this.#currentAt);
    let answer: Device;
    try {
      answer = await this.#deps.devices.report(
        { userId, connectionId: null },
        { ...description, version: this.#core.version, report },
      );
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'device_not_found') throw error;
      this.#sender = null;
      this.#removedBy = userId;
      this.#work.abort();
      this.#logProblem('the user removed it. It starts again with the server.');
      return false;
    }
    this.#paused = answer.paused;
    if (answer.paused) this.#work.abort();
    if (answer.syncAskedAt !== this.#syncAskedAt) this.#folder.dueAt = 0;
    this.#syncAskedAt = answer.syncAskedAt;
    return !answer.paused;
  }

  async #sync(sender: Sender, signal: AbortSignal): Promise<void> {
    const memory = sender.memory ?? (await this.#loadMemory(sender, signal));
    const beforeFile = async (): Promise<void> => {
      if (this.#now() - this.#reportedAt >= REPORT_BUSY_MS) await this.#sendReport(sender);
      signal.throwIfAborted();
    };
    const server = this.#deps.createServer({ sender, memory, beforeFile });
    this.#folder.watch();
    await this.#folder.run({ memory, server, limits: this.#deps.limits, signal });
    const isMissing = this.#folder.state === 'missing';
    if (this.#folder.state === 'current') this.#currentAt = this.#now();
    this.#logProblem(
      isMissing ? 'it cannot be found, and nothing is changed until it is back.' : null,
    );
  }

  /** What is known of the folder after a start. It is stored unless the folder is missing. */
  async #loadMemory(sender: Sender, signal: AbortSignal): Promise<WatchedMemory> {
    const { userId, device } = sender;
    const { root, name } = this.#options;
    const { found, files: seen } = await scanFolder({ root, name, signal });
    const sent = await this.#deps.folderFiles.sentBy(userId, device.id);
    const elsewhere = (sha256: string) => this.#deps.elsewhere(this, userId, sha256);
    const memory = new WatchedMemory(elsewhere, device.id, { sent, seen });
    if (found) sender.memory = memory;
    return memory;
  }

  /** A file of this folder with the given bytes, if the folder belongs to the user. */
  holderOf(userId: string, sha256: string): Elsewhere | null {
    return this.#sender?.userId === userId ? (this.#sender.memory?.holderOf(sha256) ?? null) : null;
  }

  /** Stops uploads. The next start finds out which were completed. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#queue;
    this.#folder.unwatch();
  }
}
