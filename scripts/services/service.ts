import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A server that tests use. */
export interface Service {
  name: string;
  /**
   * Starts the server on a free port of 127.0.0.1, with its data in a temporary folder. Throws if that
   * is not possible on this machine.
   */
  start(options: StartOptions): Promise<RunningService>;
}

export interface StartOptions {
  /** Whether missing programs may be installed or built. */
  install: boolean;
}

export interface RunningService {
  /** Environment variables with the address of the server. */
  env: Record<string, string>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** The user that runs a program. By default the current user. */
export interface Account {
  uid?: number;
  gid?: number;
}

export const isRoot = process.getuid?.() === 0;

/** Runs a program and returns its output. */
export async function run(
  command: string,
  args: string[],
  options: Account & { env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const settings = { cwd: tmpdir(), maxBuffer: 64 * 1_048_576, ...options };
    return (await promisify(execFile)(command, args, settings)).stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Record<string, string>;
    const output = (stderr.trim() || stdout.trim() || message).split('\n').slice(-5).join('\n');
    throw new Error(`${command} failed: ${output}`, { cause: error });
  }
}

export const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

let debian = Promise.resolve();

/** Installs a Debian package. Calls are queued, because apt-get holds a lock. */
export function installDebian(name: string): Promise<void> {
  if (!isRoot || !findProgram('apt-get')) {
    return Promise.reject(new Error(`${name} is not installed`));
  }
  const next = debian.then(async () => {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '--yes', '--no-install-recommends', name]);
  });
  debian = next.catch(() => undefined);
  return next;
}

/** The folder of built programs. Other users run those of root, so they are not in its home. */
function cacheFolder(): string {
  const cacheRoot = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return (
    process.env['ENGRAM_SERVICES_CACHE'] ??
    join(isRoot ? '/var/cache' : cacheRoot, 'engram-services')
  );
}

/**
 * The cached folder of a program, created by `create` if it is missing, completely or not at all. The
 * name contains the version.
 */
export async function fromCache(
  name: string,
  { install }: StartOptions,
  create: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  if (!install) throw new Error(`${name} is not in ${cacheFolder()}. Add it with --install`);
  mkdirSync(cacheFolder(), { recursive: true });
  using scratch = mkdtempDisposableSync(join(cacheFolder(), 'incomplete-'));
  await create(scratch.path);
  await run('chmod', ['-R', 'a+rX', scratch.path]);
  if (!existsSync(folder)) renameSync(scratch.path, folder);
  return folder;
}

export function assertChecksum(file: string, sha256: string): void {
  if (hash('sha256', readFileSync(file)) !== sha256) {
    throw new Error(`${file} has an unexpected checksum`);
  }
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export const makeScratch = (name: string): string => mkdtempSync(join(tmpdir(), `engram-${name}-`));

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** The user for programs that refuse to run as root, or the current user if it is not root. */
export async function accountOf(name: string): Promise<Account> {
  if (!isRoot) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether a port of 127.0.0.1 accepts connections. */
export function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const isResponding = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Waits until a server is healthy. Throws if it exits or takes too long. */
async function waitUntilHealthy(
  health: string | (() => Promise<boolean>),
  server: ChildProcess,
  seconds: number,
): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const isHealthy = await (typeof health === 'string' ? isResponding(health) : health());
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('it exited');
    if (isHealthy) return;
    if (Date.now() > end) throw new Error(`it did not answer within ${seconds} s`);
    await wait(100);
  }
}

/**
 * Starts a server with its data in a folder, and waits until it is healthy. Returns a function that
 * stops it and deletes the folder. The server has its own process group, so that an interrupt from the
 * keyboard does not stop it before the tests.
 */
export async function startServer(
  command: string,
  args: string[],
  options: Account & {
    folder: string;
    /** An address that answers, or a check of its own. */
    health: string | (() => Promise<boolean>);
    seconds: number;
    env: NodeJS.ProcessEnv;
    cwd?: string;
  },
): Promise<() => Promise<void>> {
  const { folder, health, seconds, ...rest } = options;
  const log = openSync(join(folder, 'output.log'), 'w');
  const server = spawn(command, args, { ...rest, detached: true, stdio: ['ignore', log, log] });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null && server.pid) {
      const ended = once(server, 'exit');
      process.kill(-server.pid, 'SIGKILL');
      await ended;
    }
    removeFolder(folder);
  };
  try {
    await waitUntilHealthy(health, server, seconds);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
