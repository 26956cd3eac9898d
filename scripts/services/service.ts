import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

/** A server that tests talk to. */
export interface Service {
  /** As people call it. */
  name: string;
  /**
   * Starts the server on a free port of 127.0.0.1, with its data in a temporary folder.
   * @throws Error with the sentence why it cannot be had on this machine.
   */
  start(options: StartOptions): Promise<RunningService>;
}

export interface StartOptions {
  /** Whether what is missing may be installed or built. */
  install: boolean;
}

export interface RunningService {
  /** The variables by which tests find the server. */
  env: Record<string, string>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** Who runs a program; this process's own user where nothing is said. */
export interface Account {
  uid?: number;
  gid?: number;
}

export const isRoot = process.getuid?.() === 0;

/** Runs a program to its end; answers what it wrote. */
export async function run(
  command: string,
  args: string[],
  options: Account & { env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const limits = { maxBuffer: 64 * 1_048_576 };
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: tmpdir(),
      ...limits,
      ...options,
    });
    return stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & Record<string, string>;
    const said = (stderr.trim() || stdout.trim() || message).split('\n').slice(-5).join('\n');
    throw new Error(`${command} failed: ${said}`, { cause: error });
  }
}

export const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

let debian = Promise.resolve();

/** Installs one of Debian's packages: one at a time, as apt-get holds a lock. */
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

/**
 * Where what was built or unpacked is kept for the next run. What root unpacks is run by another
 * user, who gets into no folder of root's own.
 */
function cacheFolder(): string {
  const own = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return (
    process.env['ENGRAM_SERVICES_CACHE'] ?? join(isRoot ? '/var/cache' : own, 'engram-services')
  );
}

/**
 * The folder of a program in the cache, which is made where it is missing: whole or not at all, so
 * that neither a kill nor another run leaves a half of it. The name holds the version.
 */
export async function fromCache(
  name: string,
  { install }: StartOptions,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  if (!install) throw new Error(`${name} is not in ${cacheFolder()}: --install brings it`);
  mkdirSync(cacheFolder(), { recursive: true });
  const made = mkdtempSync(join(cacheFolder(), 'making-'));
  try {
    await make(made);
    await run('chmod', ['-R', 'a+rX', made]);
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

/** @throws Error where a file that was fetched is another than was named. */
export async function assertChecksum(file: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${file} has another checksum than expected`);
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

/**
 * Starts a server in a group of its own, so that an interrupt from the keyboard reaches it through
 * whoever waits for the tests, and not before them.
 */
export function startProcess(
  command: string,
  args: string[],
  options: Account & { env?: NodeJS.ProcessEnv; log: number; cwd?: string },
): ChildProcess {
  const { log, ...rest } = options;
  return spawn(command, args, { ...rest, detached: true, stdio: ['ignore', log, log] });
}

/** Waits until an address answers well. @throws Error where the server ends or takes too long. */
export async function answers(url: string, server: ChildProcess, seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const isWell = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (server.exitCode !== null || server.signalCode !== null) throw new Error('it ended');
    if (isWell) return;
    if (Date.now() > end) throw new Error(`it did not answer within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Ends a server at once, as nothing of its data is kept. */
export async function endProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null || !server.pid) return;
  const ended = once(server, 'exit');
  process.kill(-server.pid, 'SIGKILL');
  await ended;
}
