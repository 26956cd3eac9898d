import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { openHome } from './home.ts';

/** The longest socket path that all systems accept. */
const MAX_PATH = 100;

/** SQLite's error code if another process has the lock. */
const BUSY = 5;

/** Runs a command in the running Connector. Its errors are sent to the command. */
export type Handler = (name: string, args: readonly unknown[]) => unknown;

/** The address for commands to the running Connector: a pipe on Windows, a socket elsewhere. */
function controlAddress(home: string): string {
  const hash = createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return String.raw`\\.\pipe\engram-connector-${hash}`;
  const socketPath = path.join(home, 'control.sock');
  return socketPath.length <= MAX_PATH
    ? socketPath
    : path.join(tmpdir(), `engram-connector-${process.getuid?.() ?? ''}-${hash}.sock`);
}

/**
 * Locks a home, and returns a function that unlocks it; null if another Connector has the lock. The
 * system releases the lock however the process ends.
 */
export function lockHome(home: string): (() => void) | null {
  const file = path.join(openHome(home), 'lock.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  try {
    // The journal is in memory, so that locking works on a full disk.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw error;
  }
  return () => database.close();
}

async function answer(socket: Socket, handle: Handler, line: string): Promise<void> {
  try {
    const { name, args } = JSON.parse(line) as { name: string; args: unknown[] };
    const result = await handle(name, args);
    socket.end(`${JSON.stringify({ result: result ?? null })}\n`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    socket.end(`${JSON.stringify({ error: message })}\n`);
  }
}

/** Listens for commands. The caller holds the lock, so an existing socket is a leftover. */
export async function listenForCommands(home: string, handle: Handler): Promise<Server> {
  const address = controlAddress(home);
  if (process.platform !== 'win32') rmSync(address, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (line) => void answer(socket, handle, line));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(address, resolve);
  await promise;
  if (process.platform !== 'win32') chmodSync(address, 0o600);
  return server;
}

/** Whether a Connector is running that accepts commands. */
export async function isListening(home: string): Promise<boolean> {
  const socket = connect(controlAddress(home));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Sends a command to the running Connector.
 * @param timeoutMs how long to wait for a response. Default: no limit
 * @throws Error with the Connector's own message, or if it does not respond
 */
export async function askInstance(
  home: string,
  name: string,
  args: readonly unknown[] = [],
  timeoutMs = 0,
): Promise<unknown> {
  const socket = connect(controlAddress(home));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.setTimeout(timeoutMs, () =>
    socket.destroy(new Error('The Connector is running but does not respond.')),
  );
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('The running Connector closed the connection.')));
  createInterface({ input: socket }).once('line', resolve).on('error', reject);
  socket.write(`${JSON.stringify({ name, args })}\n`);
  const { result, error } = JSON.parse(await promise) as { result: unknown; error?: string };
  socket.destroy();
  if (error !== undefined) throw new Error(error);
  return result;
}
