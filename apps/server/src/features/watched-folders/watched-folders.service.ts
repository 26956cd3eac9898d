import path from 'node:path';
import type { Device } from '@engram/contract';
import {
  type Elsewhere,
  folderName,
  reportOf,
  scanFolder,
  SyncedFolder,
} from '@engram/folder-sync';
import type { Core } from '../../composition/core.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { stableId } from '../../platform/stable-id.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { FolderFiles } from '../artifacts/folder-files.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { DevicesService } from '../devices/devices.service.ts';
import { createWatchedMemory, type WatchedMemory } from './watched-memory.ts';
import { createWatchedServer, type Sender } from './watched-server.ts';

const INTERVAL_MS = 300_000;
/** The intervals of reports, while idle and while uploading. */
const REPORT_MS = 30_000;
const REPORT_BUSY_MS = 15_000;

const PLATFORM = 'Folder on the server';

interface Services {
  accounts: Pick<AuthService['accounts'], 'findByEmail'>;
  devices: DevicesService;
  artifacts: ArtifactsService;
  folderFiles: FolderFiles;
}

/**
 * Uploads a folder on the server's machine for one account. Never writes to the folder.
 * @param watched.name The first part of its files' paths.
 * @param elsewhere Finds a file with the same bytes in another watched folder of the account.
 */
function createWatchedFolder(
  core: Core,
  { accounts, devices, artifacts, folderFiles }: Services,
  watched: { root: string; name: string; email: string },
  elsewhere: (userId: string, sha256: string) => Elsewhere | null,
) {
  const { config, log, storage, version } = core;
  const { root, name } = watched;
  const limits = {
    media: config.mediaLimitMb * 1_048_576,
    other: config.uploadLimitMb * 1_048_576,
  };
  const description = { name: name.slice(0, 200), platform: PLATFORM, version };
  const closing = new AbortController();
  const now = (): number => core.now().getTime();
  const folder = new SyncedFolder(
    () => ({ root, name, intervalMs: INTERVAL_MS, archive: false, archiveAnswer: null }),
    { now, onScheduled: () => schedule(Math.max(folder.dueAt - now(), 0)) },
  );
  let syncing = new AbortController();
  let queue: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let sender: Sender | null = null;
  /** The account that removed the device, which is registered again at the next start. */
  let removedBy: string | null = null;
  let paused = false;
  let problem: string | null = null;
  let syncAskedAt: string | null = null;
  let currentAt: number | null = null;
  let reportedAt = 0;

  function logProblem(current: string | null): void {
    if (current === problem) return;
    problem = current;
    const fields = { folder: root, email: watched.email };
    if (current === null) log.info(fields, 'a watched folder is up to date');
    else log.warn(fields, `a watched folder waits: ${current}`);
  }

  /** The account and its device; null if the account does not exist or the device was removed. */
  async function connect(): Promise<Sender | null> {
    const account = await accounts.findByEmail(watched.email);
    if (!account) {
      sender = null;
      logProblem('no account has this address yet.');
      return null;
    }
    const { userId, email } = account;
    if (sender?.userId === userId || removedBy === userId) return sender;
    const deviceId = stableId(`watched folder\n${userId}\n${name}`);
    const device = await devices.ensure(userId, deviceId, description);
    syncAskedAt = device.syncAskedAt;
    folder.dueAt = 0;
    sender = { userId, email, device, memory: null };
    return sender;
  }

  /** Reports the state and reads the user's commands. Returns false if the folder is paused or removed. */
  async function sendReport({ userId, device }: Sender): Promise<boolean> {
    reportedAt = now();
    const state = paused ? 'paused' : folder.state;
    const report = reportOf([{ name, state, ...folder.counts }], currentAt);
    let answer: Device;
    try {
      answer = await devices.report(
        { userId, connectionId: null },
        { ...description, id: device.id, name: device.name, report },
      );
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'device_not_found') throw error;
      sender = null;
      removedBy = userId;
      syncing.abort();
      logProblem('the user removed it. It will be uploaded again after the server restarts.');
      return false;
    }
    paused = answer.paused;
    if (paused) syncing.abort();
    if (answer.syncAskedAt !== syncAskedAt) folder.dueAt = 0;
    syncAskedAt = answer.syncAskedAt;
    return !paused;
  }

  /** The state of the folder after a start, kept in memory unless the folder is missing. */
  async function loadMemory(target: Sender, signal: AbortSignal): Promise<WatchedMemory> {
    const { userId, device } = target;
    const { found, files: seen } = await scanFolder({ root, name, signal });
    const sent = await folderFiles.sentBy(userId, device.id);
    const memory = createWatchedMemory(device.id, sent, seen, (sha256) =>
      elsewhere(userId, sha256),
    );
    if (found) target.memory = memory;
    return memory;
  }

  async function sync(target: Sender, signal: AbortSignal): Promise<void> {
    const memory = target.memory ?? (await loadMemory(target, signal));
    const beforeFile = async (): Promise<void> => {
      if (now() - reportedAt >= REPORT_BUSY_MS) await sendReport(target);
      signal.throwIfAborted();
    };
    const server = createWatchedServer(storage, artifacts, folderFiles, target, memory, beforeFile);
    folder.watch();
    await folder.run({ memory, server, limits, signal });
    if (folder.state === 'current') currentAt = now();
    const isMissing = folder.state === 'missing';
    logProblem(isMissing ? 'it is missing, and its files stay unchanged until it is back.' : null);
  }

  async function scanIfDue(): Promise<void> {
    const target = await connect();
    if (!target || !(await sendReport(target)) || folder.dueAt > now()) return;
    if (syncing.signal.aborted) syncing = new AbortController();
    const signal = AbortSignal.any([closing.signal, syncing.signal]);
    try {
      await sync(target, signal);
    } catch (error) {
      folder.dueAt = signal.aborted ? 0 : now() + INTERVAL_MS;
      if (signal.aborted) return;
      folder.state = 'waiting';
      await sendReport(target);
      throw error;
    }
    await sendReport(target);
  }

  /** Scans the folder if it is due, after the current scan. */
  function scan(): Promise<void> {
    queue = queue.then(async () => {
      if (closing.signal.aborted) return;
      try {
        await scanIfDue();
      } catch (error) {
        // Such as an expired plan or a full disk.
        if (error instanceof HttpError) logProblem(error.message);
        else log.error({ err: error, folder: root }, 'a watched folder failed');
      }
    });
    return queue;
  }

  function schedule(delayMs: number): void {
    if (closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void scan().then(() => schedule(Math.min(Math.max(folder.dueAt - now(), 1000), REPORT_MS)));
    }, delayMs).unref();
  }

  return {
    scan,

    start: (): void => schedule(0),

    /** A file of this folder with the given bytes, if the folder is uploaded for the user. */
    holderOf: (userId: string, sha256: string): Elsewhere | null =>
      sender?.userId === userId ? (sender.memory?.holderOf(sha256) ?? null) : null,

    /** Stops uploads. The next start detects which were completed. */
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await queue;
      folder.unwatch();
    },
  };
}

export function createWatchedFolders(core: Core, services: Services) {
  const folders: ReturnType<typeof createWatchedFolder>[] = [];
  const names = new Map<string, Set<string>>();
  for (const { folder, email } of core.config.watch) {
    const root = path.resolve(folder);
    const usedNames = names.get(email) ?? new Set();
    names.set(email, usedNames);
    const name = folderName(root, usedNames);
    usedNames.add(name);
    const added = createWatchedFolder(core, services, { root, name, email }, (userId, sha256) => {
      for (const other of folders) {
        const holder = other === added ? null : other.holderOf(userId, sha256);
        if (holder) return holder;
      }
      return null;
    });
    folders.push(added);
  }

  return {
    async scan(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.scan()));
    },

    start(): void {
      for (const folder of folders) folder.start();
    },

    async close(): Promise<void> {
      await Promise.all(folders.map((folder) => folder.close()));
    },
  };
}
