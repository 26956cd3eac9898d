import { Worker } from 'node:worker_threads';
import { EmbeddedStream, type StreamLink } from './stream.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';

/** Settings of the embedded database's thread; all times in milliseconds. */
export interface EmbeddedServerOptions {
  /** The folder that holds the cluster. */
  folder: string;
  idleInTransactionMs: number;
  /** A statement that runs longer is ended, see {@link EmbeddedServer}. */
  statementTimeoutMs: number;
  /** Told when the thread died or was ended; the next connection starts a new one. */
  onDeath(reason: string): void;
}

/**
 * PGlite in a worker thread. One thread cannot be interrupted from outside, so a statement that runs
 * too long, like a crash of the engine, ends the thread: every connection fails, and a new thread
 * recovers the cluster from its log as PostgreSQL does after a crash.
 */
export interface EmbeddedServer {
  /** A new connection, to be used as the socket of a node-postgres client. */
  createStream(): EmbeddedStream;
  /** Runs a task whose statements may take as long as they need. */
  withoutTimeout<T>(task: () => Promise<T>): Promise<T>;
  /** Checkpoints and stops. Open connections must have ended. */
  close(): Promise<void>;
}

const WATCH_INTERVAL_MS = 250;
const BYTES_OF_A_TIMESTAMP = 8;

interface RunningThread {
  worker: Worker;
  busySince: BigInt64Array;
  streams: Map<number, EmbeddedStream>;
  greeting: Promise<Uint8Array>;
  stopped: Promise<void>;
  /** Ends the thread at once; its connections fail with the reason. */
  end(reason: Error): Promise<unknown>;
}

/** Starts one thread over the folder. Its promises reject when the thread dies. */
function startThread(options: EmbeddedServerOptions, onDeath: (reason: Error) => void) {
  const shared = new SharedArrayBuffer(BYTES_OF_A_TIMESTAMP);
  const settings: WorkerSettings = {
    folder: options.folder,
    idleInTransactionMs: options.idleInTransactionMs,
    busySince: shared,
  };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: settings,
    execArgv: [],
  });
  const streams = new Map<number, EmbeddedStream>();
  const greeting = Promise.withResolvers<Uint8Array>();
  const stopped = Promise.withResolvers<void>();
  let failure = new Error('The embedded database ended.');
  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'ready') greeting.resolve(message.greeting);
    else if (message.kind === 'stopped') stopped.resolve();
    else if (message.kind === 'data') streams.get(message.connection)?.push(message.bytes);
    else streams.get(message.connection)?.push(null);
  });
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', () => {
    greeting.reject(failure);
    stopped.resolve();
    for (const stream of streams.values()) stream.destroy(failure);
    onDeath(failure);
  });
  greeting.promise.catch(() => undefined);
  const thread: RunningThread = {
    worker,
    busySince: new BigInt64Array(shared),
    streams,
    greeting: greeting.promise,
    stopped: stopped.promise,
    end(reason) {
      failure = reason;
      return worker.terminate();
    },
  };
  return thread;
}

/** Starts the embedded database; rejects when its folder cannot be opened. */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  let closing = false;
  let patience = 0;
  let nextConnection = 1;
  const connections = new WeakMap<EmbeddedStream, { id: number; home: RunningThread }>();

  let thread = startThread(options, onDeath);
  let alive = true;
  await thread.greeting;

  function onDeath(reason: Error): void {
    if (!closing && alive) options.onDeath(reason.message);
    alive = false;
  }

  /** A dead thread is replaced when somebody next needs one, so that failing to start cannot loop. */
  function runningThread(): RunningThread {
    if (!alive && !closing) {
      thread = startThread(options, onDeath);
      alive = true;
    }
    return thread;
  }

  const watch = setInterval(() => {
    const since = Number(Atomics.load(thread.busySince, 0));
    if (patience > 0 || since === 0 || Date.now() - since < options.statementTimeoutMs) return;
    Atomics.store(thread.busySince, 0, 0n);
    const limit = options.statementTimeoutMs / 1000;
    void thread.end(new Error(`A statement was ended: it ran longer than ${limit} s.`));
  }, WATCH_INTERVAL_MS);
  watch.unref();

  function post(stream: EmbeddedStream, message: (connection: number) => ToWorker): void {
    const connection = connections.get(stream);
    if (connection?.home.streams.get(connection.id) !== stream) return;
    connection.home.worker.postMessage(message(connection.id), []);
  }

  const link: StreamLink = {
    async open(stream) {
      const home = runningThread();
      const greeting = await home.greeting;
      const id = nextConnection++;
      connections.set(stream, { id, home });
      home.streams.set(id, stream);
      post(stream, (connection) => ({ kind: 'open', connection }));
      return greeting;
    },
    write(stream, bytes) {
      post(stream, (connection) => ({ kind: 'data', connection, bytes }));
    },
    end(stream) {
      post(stream, (connection) => ({ kind: 'end', connection }));
      const connection = connections.get(stream);
      connection?.home.streams.delete(connection.id);
    },
  };

  return {
    createStream: () => new EmbeddedStream(link),
    async withoutTimeout(task) {
      patience++;
      try {
        return await task();
      } finally {
        patience--;
      }
    },
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(watch);
      thread.worker.postMessage({ kind: 'shutdown' } satisfies ToWorker, []);
      await thread.stopped;
      await thread.worker.terminate();
    },
  };
}
