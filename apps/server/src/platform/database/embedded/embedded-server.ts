import { Worker } from 'node:worker_threads';
import { type Connection, EmbeddedStream } from './stream.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker.ts';

export interface EmbeddedServerOptions {
  folder: string;
  idleInTransactionMs: number;
  /** A statement that runs longer ends the thread. */
  statementTimeoutMs: number;
  onDeath(reason: string): void;
}

const WATCH_INTERVAL_MS = 250;
const BYTES_OF_A_TIMESTAMP = 8;

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
  return {
    worker,
    busySince: new BigInt64Array(shared),
    streams,
    greeting: greeting.promise,
    stopped: stopped.promise,
    /** Ends the thread at once. Its connections fail with the reason. */
    end(reason: Error) {
      failure = reason;
      return worker.terminate();
    },
  };
}

type RunningThread = ReturnType<typeof startThread>;

/**
 * Runs PGlite in a worker thread. A thread cannot be interrupted, so a statement that runs too long ends
 * it, like a crash of the engine: every connection fails, and a new thread recovers the cluster from its
 * log. Rejects when the folder cannot be opened.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions) {
  let closing = false;
  let unlimited = 0;
  let nextConnection = 1;

  let thread = startThread(options, onDeath);
  let alive = true;
  await thread.greeting;

  function onDeath(reason: Error): void {
    if (!closing && alive) options.onDeath(reason.message);
    alive = false;
  }

  /** Starts a dead thread again only when it is needed, so that a failing start is not repeated. */
  function runningThread(): RunningThread {
    if (!alive && !closing) {
      thread = startThread(options, onDeath);
      alive = true;
    }
    return thread;
  }

  const watch = setInterval(() => {
    const since = Number(Atomics.load(thread.busySince, 0));
    if (unlimited > 0 || since === 0 || Date.now() - since < options.statementTimeoutMs) return;
    Atomics.store(thread.busySince, 0, 0n);
    const limit = options.statementTimeoutMs / 1000;
    void thread.end(new Error(`A statement was ended: it ran longer than ${limit} s.`));
  }, WATCH_INTERVAL_MS);
  watch.unref();

  async function connect(stream: EmbeddedStream): Promise<Connection> {
    const { greeting, streams, worker } = runningThread();
    const hello = await greeting;
    const connection = nextConnection++;
    const post = (message: ToWorker): void => {
      if (streams.get(connection) === stream) worker.postMessage(message, []);
    };
    streams.set(connection, stream);
    post({ kind: 'open', connection });
    return {
      greeting: hello,
      send: (bytes) => post({ kind: 'data', connection, bytes }),
      end() {
        post({ kind: 'end', connection });
        streams.delete(connection);
      },
    };
  }

  return {
    createStream: (): EmbeddedStream => new EmbeddedStream(connect),

    async withoutTimeout<T>(task: () => Promise<T>): Promise<T> {
      unlimited++;
      try {
        return await task();
      } finally {
        unlimited--;
      }
    },

    async close(): Promise<void> {
      if (closing) return;
      closing = true;
      clearInterval(watch);
      thread.worker.postMessage({ kind: 'shutdown' } satisfies ToWorker, []);
      await thread.stopped;
      await thread.worker.terminate();
    },
  };
}
