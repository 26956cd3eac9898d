import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { createSessions } from './sessions.ts';

export interface WorkerSettings {
  folder: string;
  idleInTransactionMs: number;
  /** Shared: when the running batch began, in milliseconds since the epoch, or 0. */
  busySince: SharedArrayBuffer;
}

export type ToWorker =
  | { kind: 'open'; connection: number }
  | { kind: 'data'; connection: number; bytes: Uint8Array }
  | { kind: 'end'; connection: number }
  | { kind: 'shutdown' };

export type FromWorker =
  | { kind: 'ready'; greeting: Uint8Array }
  | { kind: 'data'; connection: number; bytes: Uint8Array }
  | { kind: 'closed'; connection: number }
  | { kind: 'stopped' };

/** Emscripten's file system, which has no fsync and its own umask. */
interface EmscriptenFileSystem {
  open: (path: string, flags: number, mode?: number) => unknown;
  filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } };
}

/** PGlite's Node file system never syncs; this one does. Its files are readable only for their user. */
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

/** The startup message of protocol 3.0. The backend's answer greets every connection. */
function startupMessage(): Uint8Array {
  const body = Buffer.from('user\0postgres\0database\0postgres\0client_encoding\0UTF8\0\0');
  const header = Buffer.alloc(8);
  header.writeInt32BE(body.length + 8, 0);
  header.writeInt32BE(196_608, 4);
  return Buffer.concat([header, body]);
}

async function serve(settings: WorkerSettings, port: NonNullable<typeof parentPort>) {
  const post = (message: FromWorker) => port.postMessage(message);
  const busySince = new BigInt64Array(settings.busySince);
  const backend = await PGlite.create({
    fs: new SyncedNodeFS(settings.folder),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      '-c',
      'fsync=on',
      '-c',
      'wal_sync_method=fsync',
      '-c',
      'max_wal_size=64MB',
      // The system caches the files too.
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
  const sessions = createSessions({
    execute(batch) {
      Atomics.store(busySince, 0, BigInt(Date.now()));
      const answer = backend.execProtocolRawSync(batch);
      Atomics.store(busySince, 0, 0n);
      return answer;
    },
    send: (connection, bytes) => post({ kind: 'data', connection, bytes }),
    close: (connection) => post({ kind: 'closed', connection }),
    defer: setImmediate,
    startTimer(task, milliseconds) {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    },
    idleInTransactionMs: settings.idleInTransactionMs,
  });
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'open') sessions.open(message.connection);
    else if (message.kind === 'data') sessions.receive(message.connection, message.bytes);
    else if (message.kind === 'end') sessions.end(message.connection);
    else {
      void backend.close().then(() => {
        post({ kind: 'stopped' });
        port.close();
      });
    }
  });
  post({ kind: 'ready', greeting: (await backend.execProtocolRaw(startupMessage())).slice() });
}

if (parentPort) await serve(workerData as WorkerSettings, parentPort);
