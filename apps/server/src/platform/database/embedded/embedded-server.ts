import { readFile } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { WorkerSettings } from './worker.ts';

interface EmbeddedServerOptions {
  folder: string;
  idleInTransactionMs: number;
  statementTimeoutMs: number;
  onDeath(reason: string): void;
}

/**
 * How much a function must run, in bytes of code, before V8 optimizes it: 30 times the default, because
 * optimizing what a start runs takes another processor for a second, and delays the start by half of one.
 */
const OPTIMIZE_AFTER = 400_000_000;

/** PGlite, compiled once for all threads of this process, because that takes most of a start. */
let compiled: Promise<WebAssembly.Module> | undefined;

async function compileEngine(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMIZE_AFTER}`);
  const file = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'));
  return WebAssembly.compile(await readFile(file));
}

const WATCH_INTERVAL_MS = 250;
const TIMESTAMP_BYTES = 8;

/** A connection to the thread, with the socket methods that node-postgres calls. */
class EmbeddedStream extends Duplex {
  readonly #open: (stream: EmbeddedStream) => MessagePort;
  #port: MessagePort | null = null;

  constructor(open: (stream: EmbeddedStream) => MessagePort) {
    super({ allowHalfOpen: false });
    this.#open = open;
  }

  connect(): this {
    this.#port = this.#open(this);
    // Null when the server closes the connection.
    this.#port.on('message', (bytes: Uint8Array | null) => this.push(bytes));
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): void {}

  ref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#port?.postMessage(chunk, []);
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#port?.postMessage(Buffer.concat(chunks.map(({ chunk }) => chunk)), []);
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port?.close();
    done(error);
  }
}

function startThread(
  engine: WebAssembly.Module,
  options: EmbeddedServerOptions,
  onDeath: (reason: Error) => void,
) {
  const { folder, idleInTransactionMs } = options;
  const busySince = new BigInt64Array(new SharedArrayBuffer(TIMESTAMP_BYTES));
  const workerData: WorkerSettings = { engine, folder, idleInTransactionMs, busySince };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, execArgv: [] });
  const streams = new Set<EmbeddedStream>();
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let failure = new Error('The embedded database stopped.');
  worker.once('message', () => ready.resolve());
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', () => {
    ready.reject(failure);
    exited.resolve();
    for (const stream of streams) stream.destroy(failure);
    onDeath(failure);
  });
  ready.promise.catch(() => undefined);
  return {
    worker,
    busySince,
    ready: ready.promise,
    exited: exited.promise,
    open(stream: EmbeddedStream): MessagePort {
      const { port1, port2 } = new MessageChannel();
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      worker.postMessage(port2, [port2]);
      return port1;
    },
    end(reason: Error) {
      failure = reason;
      return worker.terminate();
    },
  };
}

/**
 * Runs PGlite in a worker thread. Statements cannot be interrupted, so one that runs too long ends the
 * thread. All connections fail then, and a new thread recovers the cluster from its log.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions) {
  let closing = false;
  let unlimited = 0;

  const engine = await (compiled ??= compileEngine());
  let thread = startThread(engine, options, onDeath);
  let alive = true;
  await thread.ready;

  function onDeath(reason: Error): void {
    if (!closing && alive) options.onDeath(reason.message);
    alive = false;
  }

  /** Restarts a dead thread only on demand, so that a failing start is not repeated in a loop. */
  function open(stream: EmbeddedStream): MessagePort {
    if (!alive && !closing) {
      thread = startThread(engine, options, onDeath);
      alive = true;
    }
    return thread.open(stream);
  }

  const watch = setInterval(() => {
    const since = Number(Atomics.load(thread.busySince, 0));
    if (unlimited > 0 || since === 0 || Date.now() - since < options.statementTimeoutMs) return;
    Atomics.store(thread.busySince, 0, 0n);
    const limit = options.statementTimeoutMs / 1000;
    void thread.end(new Error(`A statement was cancelled because it ran longer than ${limit} s.`));
  }, WATCH_INTERVAL_MS);
  watch.unref();

  return {
    createStream: (): Duplex => new EmbeddedStream(open),

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
      thread.worker.postMessage('shutdown', []);
      await thread.exited;
    },
  };
}
