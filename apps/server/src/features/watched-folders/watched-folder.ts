import { createHash } from 'node:crypto';
import { type Device, type DeviceReport, REFUSED_NAMED } from '@engram/contract';
import {
  type Counts,
  countFiles,
  type Elsewhere,
  FolderWatch,
  Rounds,
  scanFolder,
  type SizeLimits,
} from '@engram/folder-sync';
import type { FastifyBaseLogger } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import type { FolderFiles } from '../artifacts/folder-files.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import { WatchedMemory } from './watched-memory.ts';
import type { Sender, WatchedSteps } from './watched-steps.ts';

/** How often a folder is walked although nothing was noticed. */
const INTERVAL_MS = 300_000;
/** How long after something was noticed it is walked, and how often at most. */
const HINT_MS = 2000;
const LEAST_MS = 10_000;
/** How often its person is heard, and told how far it is. */
const TELL_MS = 30_000;
const TELL_BUSY_MS = 15_000;

const PLATFORM = 'Folder on the server';

export interface WatchedFolderOptions {
  root: string;
  /** How its files' paths begin. */
  name: string;
  /** Of the account that its files are for. */
  email: string;
}

export interface WatchedFolderDependencies {
  accountOf: (email: string) => Promise<{ userId: string; email: string } | null>;
  devices: Pick<DevicesService, 'keep' | 'report'>;
  folderFiles: Pick<FolderFiles, 'sentBy'>;
  doSteps: WatchedSteps;
  limits: SizeLimits;
  /** A file of another watched folder of the same account with the same bytes. */
  elsewhere: (folder: WatchedFolder, userId: string, sha256: string) => Elsewhere | null;
  version: string;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** The same folder of the same person is the same device, whenever the server starts. */
function deviceIdOf(userId: string, name: string): string {
  const hex = createHash('sha256').update(`watched folder\n${userId}\n${name}`).digest('hex');
  // Version 8 of RFC 9562: bits of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A folder of the server's own machine that is kept in step for one account, and is never written. */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #deps: WatchedFolderDependencies;
  readonly #closing = new AbortController();
  readonly #rounds: Rounds;
  readonly #watch: FolderWatch;
  #work = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #sender: Sender | null = null;
  /** The account that ended it: for that one it is looked at again after the next start. */
  #endedBy: string | null = null;
  #paused = false;
  #state: DeviceReport['folders'][number]['state'] = 'syncing';
  #counts: Counts = countFiles(null, [], 0);
  #trouble: string | null = null;
  #syncAskedAt: string | null = null;
  #currentAt: Date | null = null;
  #walkedAt = 0;
  #toldAt = 0;
  #dueAt = 0;

  constructor(options: WatchedFolderOptions, deps: WatchedFolderDependencies) {
    this.#options = options;
    this.#deps = deps;
    const { root, name } = options;
    this.#watch = new FolderWatch(() => this.#hint());
    this.#rounds = new Rounds(() => ({ root, name, archive: false, archiveAnswer: null }));
  }

  #now(): number {
    return this.#deps.now().getTime();
  }

  /** Says a trouble in the log once, and its end. */
  #say(trouble: string | null): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const { root: folder, email } = this.#options;
    const { log } = this.#deps;
    if (trouble === null) log.info({ folder, email }, 'a watched folder is in step');
    else log.warn({ folder, email }, `a watched folder waits: ${trouble}`);
  }

  /** Looks at the folder if it is due; what is under way ends first. */
  look(): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      if (this.#closing.signal.aborted) return;
      try {
        await this.#lookNow();
      } catch (error) {
        // A refusal is the person's to mend: a plan that ran out, a disk that is full.
        if (error instanceof HttpError) return this.#say(error.message);
        this.#deps.log.error({ err: error, folder: this.#options.root }, 'a watched folder failed');
      }
    });
    return this.#turn;
  }

  /** Looks at the folder from now on, as often as there is a reason to. */
  start(): void {
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.look().then(() => {
        const wait = this.#dueAt - this.#now();
        this.#schedule(Math.min(Math.max(wait, 1000), TELL_MS));
      });
    }, delayMs).unref();
  }

  async #lookNow(): Promise<void> {
    const sender = await this.#open();
    if (!sender || !(await this.#tell(sender)) || this.#dueAt > this.#now()) return;
    if (this.#work.signal.aborted) this.#work = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#work.signal]);
    this.#dueAt = Infinity;
    try {
      await this.#round(sender, signal);
    } catch (error) {
      this.#dueAt = signal.aborted ? 0 : this.#now() + INTERVAL_MS;
      if (signal.aborted) return;
      this.#state = 'waiting';
      await this.#tell(sender);
      throw error;
    }
    await this.#tell(sender);
  }

  /** The account and its device; null while there is no such account, or where it was ended. */
  async #open(): Promise<Sender | null> {
    const { email: address, name } = this.#options;
    const account = await this.#deps.accountOf(address);
    if (!account) {
      this.#sender = null;
      this.#say('there is no account with this address yet.');
      return null;
    }
    const { userId, email } = account;
    if (this.#sender?.userId === userId || this.#endedBy === userId) return this.#sender;
    const id = deviceIdOf(userId, name);
    const words = { name: name.slice(0, 200), platform: PLATFORM, version: this.#deps.version };
    const device = await this.#deps.devices.keep(userId, id, words);
    this.#syncAskedAt = device.syncAskedAt;
    this.#dueAt = 0;
    this.#sender = { userId, email, device, memory: null };
    return this.#sender;
  }

  /** Says how far the folder is, and hears what its person wants; answers whether it goes on. */
  async #tell(sender: Sender): Promise<boolean> {
    this.#toldAt = this.#now();
    const { userId, device } = sender;
    const words = { id: device.id, name: device.name, platform: PLATFORM };
    let heard: Device;
    try {
      heard = await this.#deps.devices.report(
        { userId, connectionId: null },
        { ...words, version: this.#deps.version, report: this.#report() },
      );
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'device_not_found') throw error;
      this.#sender = null;
      this.#endedBy = userId;
      this.#work.abort();
      this.#say('its person ended it, and the next start begins it again.');
      return false;
    }
    this.#paused = heard.paused;
    if (heard.paused) this.#work.abort();
    if (heard.syncAskedAt !== this.#syncAskedAt) this.#dueAt = 0;
    this.#syncAskedAt = heard.syncAskedAt;
    return !heard.paused;
  }

  #report(): DeviceReport {
    const { files, waiting, refused, leftOut } = this.#counts;
    const state = this.#paused ? 'paused' : this.#state;
    return {
      folders: [{ name: this.#options.name.slice(0, 200), state, files, waiting, refused }],
      refused: leftOut
        .slice(0, REFUSED_NAMED)
        .map(({ path, reason }) => ({ path: path.slice(0, 4000), reason: reason.slice(0, 500) })),
      currentAt: this.#currentAt?.toISOString() ?? null,
    };
  }

  async #round(sender: Sender, signal: AbortSignal): Promise<void> {
    const { doSteps, limits } = this.#deps;
    this.#state = 'syncing';
    const memory = sender.memory ?? (await this.#remember(sender, signal));
    if (!memory) return this.#end(false, null);
    sender.memory = memory;
    const { found, folders, lookAgainAt } = await this.#rounds.run({
      memory,
      now: () => this.#now(),
      limits,
      signal,
      onCounts: (counts) => void (this.#counts = counts),
      apply: (steps, tools) =>
        doSteps(steps, {
          sender,
          memory,
          tools,
          goOn: async () => {
            if (this.#now() - this.#toldAt >= TELL_BUSY_MS) await this.#tell(sender);
            signal.throwIfAborted();
          },
        }),
    });
    // A watcher holds on to a folder that is gone, and would not see one that came in its place.
    this.#watch.follow(folders);
    this.#end(found, lookAgainAt);
  }

  /** What is known of the folder at first; null where it is not there. */
  async #remember({ userId, device }: Sender, signal: AbortSignal): Promise<WatchedMemory | null> {
    const { root, name } = this.#options;
    const { found, files: seen } = await scanFolder({ root, name, signal });
    if (!found) return null;
    const sent = await this.#deps.folderFiles.sentBy(userId, device.id);
    const elsewhere = (sha256: string) => this.#deps.elsewhere(this, userId, sha256);
    return new WatchedMemory(elsewhere, device.id, { sent, seen });
  }

  /** A file of this folder with some bytes, where the folder is that person's. */
  holderOf(userId: string, sha256: string): Elsewhere | null {
    return this.#sender?.userId === userId ? (this.#sender.memory?.holderOf(sha256) ?? null) : null;
  }

  #end(found: boolean, lookAgainAt: number | null): void {
    const now = this.#now();
    this.#walkedAt = now;
    if (found) {
      this.#state = this.#counts.waiting > 0 ? 'syncing' : 'current';
      if (this.#state === 'current') this.#currentAt = new Date(now);
      this.#say(null);
    } else {
      this.#state = 'missing';
      this.#say('it cannot be found, and nothing is changed until it is back.');
    }
    const next = now + INTERVAL_MS;
    this.#dueAt = Math.min(this.#dueAt, next, Math.max(lookAgainAt ?? next, now + 1000));
  }

  /** Something happened in the folder: it is walked soon, and not all the time. */
  #hint(): void {
    const now = this.#now();
    const delay = Math.max(HINT_MS, this.#walkedAt + LEAST_MS - now);
    if (this.#dueAt <= now + delay) return;
    this.#dueAt = now + delay;
    this.#schedule(delay);
  }

  /** Ends what is being sent; what was begun is found out at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#watch.close();
    await this.#turn;
  }
}
