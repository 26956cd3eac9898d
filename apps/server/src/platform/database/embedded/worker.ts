import fs from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import {
  createBatchReader,
  fatalErrorMessage,
  queryMessage,
  readTransactionStatus,
} from './framing.ts';

export interface WorkerSettings {
  engine: WebAssembly.Module;
  folder: string;
  idleInTransactionMs: number;
  /** When the running batch began, in milliseconds since the epoch, or 0. */
  busySince: BigInt64Array<SharedArrayBuffer>;
}

/** The patched parts of Emscripten's file system. */
interface EmscriptenFileSystem {
  open: (path: string, flags: number, mode?: number) => unknown;
  filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } };
}

/** PGlite's Node file system with fsync, and with files that only the user can read. */
class SyncedNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const result = await super.init(...args);
    const preRun = result.emscriptenOpts.preRun ?? [];
    result.emscriptenOpts.preRun = [
      ...(Array.isArray(preRun) ? preRun : [preRun]),
      (mod: { FS: unknown }) => {
        const system = mod.FS as EmscriptenFileSystem;
        system.filesystems.NODEFS.stream_ops.fsync = ({ nfd }) => {
          fs.fsyncSync(nfd);
          return 0;
        };
        const { open } = system;
        system.open = (name, flags, mode = 0o600) => open.call(system, name, flags, mode & 0o600);
      },
    ];
    return result;
  }
}

/** The startup message of protocol 3.0. Every connection gets the backend's response to it. */
function startupMessage(): Uint8Array {
  const body = Buffer.from('user\0postgres\0database\0postgres\0client_encoding\0UTF8\0\0');
  const header = Buffer.alloc(8);
  header.writeInt32BE(body.length + 8, 0);
  header.writeInt32BE(196_608, 4);
  return Buffer.concat([header, body]);
}

async function startBackend({ engine, folder }: WorkerSettings): Promise<PGlite> {
  return PGlite.create({
    pgliteWasmModule: engine,
    fs: new SyncedNodeFS(folder),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      '-c',
      'fsync=on',
      '-c',
      'wal_sync_method=fsync',
      '-c',
      'max_wal_size=64MB',
      '-c',
      'shared_buffers=32MB',
      // A recycled segment would contain bytes of deleted rows.
      '-c',
      'wal_recycle=off',
      // Without replication, rewritten tables need not be in the log.
      '-c',
      'wal_level=minimal',
      '-c',
      'max_wal_senders=0',
    ],
  });
}

interface Batch {
  port: MessagePort;
  bytes: Uint8Array;
}

/**
 * Multiplexes client connections over the single backend. Batches run in order of arrival. A connection
 * with an open transaction owns the backend until the transaction ends.
 * @returns a function that accepts a connection
 */
function createSessions(
  execute: (batch: Uint8Array) => Uint8Array,
  greeting: Uint8Array,
  idleInTransactionMs: number,
) {
  let waiting: Batch[] = [];
  let owner: MessagePort | null = null;
  /** Closed connections, from which statements may still arrive. */
  const ended = new WeakSet<MessagePort>();
  let scheduled = false;
  let idleTimer: NodeJS.Timeout | undefined;

  function takeNext(): Batch | undefined {
    const index = owner === null ? 0 : waiting.findIndex(({ port }) => port === owner);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  function runNext(): void {
    const next = takeNext();
    if (!next) return;
    const { port, bytes } = next;
    clearTimeout(idleTimer);
    const response = execute(bytes);
    port.postMessage(response, []);
    owner = readTransactionStatus(response) === 'idle' ? null : port;
    if (owner !== null && !waiting.some((batch) => batch.port === owner)) {
      idleTimer = setTimeout(() => expire(port), idleInTransactionMs);
    }
    schedule();
  }

  /** Runs the next batch after all messages that have arrived are received. */
  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      runNext();
    });
  }

  function expire(port: MessagePort): void {
    const message = 'The transaction waited too long for its next statement and was rolled back.';
    port.postMessage(fatalErrorMessage('25P03', message), []);
    end(port);
    port.postMessage(null, []);
  }

  function end(port: MessagePort): void {
    ended.add(port);
    waiting = waiting.filter((batch) => batch.port !== port);
    if (owner !== port) return;
    clearTimeout(idleTimer);
    owner = null;
    // A Sync message ends an incomplete extended query. Without it, messages after an error are skipped.
    execute(Buffer.from([0x53, 0, 0, 0, 4]));
    execute(queryMessage('ROLLBACK'));
    schedule();
  }

  return (port: MessagePort): void => {
    const reader = createBatchReader();
    port.on('message', (received: Uint8Array) => {
      if (ended.has(port)) return;
      for (const bytes of reader.push(received)) waiting.push({ port, bytes });
      if (!scheduled) runNext();
    });
    port.on('close', () => end(port));
    port.postMessage(greeting, []);
  };
}

async function serve(settings: WorkerSettings, parent: MessagePort): Promise<void> {
  const { idleInTransactionMs, busySince } = settings;
  const backend = await startBackend(settings);
  const greeting = (await backend.execProtocolRaw(startupMessage())).slice();
  const execute = (batch: Uint8Array): Uint8Array => {
    Atomics.store(busySince, 0, BigInt(Date.now()));
    const answer = backend.execProtocolRawSync(batch);
    Atomics.store(busySince, 0, 0n);
    return answer;
  };
  const accept = createSessions(execute, greeting, idleInTransactionMs);
  parent.on('message', (message: MessagePort | 'shutdown') => {
    if (message !== 'shutdown') accept(message);
    else void backend.close().then(() => process.exit());
  });
  parent.postMessage('ready', []);
}

if (parentPort) await serve(workerData as WorkerSettings, parentPort);
