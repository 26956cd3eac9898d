import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ExtractionError } from '@engram/extraction';
import type { Extraction, FileType, Segment } from '@engram/extraction';
import type { IndexRow } from '../../platform/index/search-index.ts';
import type { ChildMessage, ExtractRequest, ReadingRest } from './extraction-child.ts';
import type { DocumentContext } from './prepare.ts';

/** A file that ended the process that read it; `message` is a sentence for the file's owner. */
export class ExtractionCrash extends Error {
  readonly code: 'timeout' | 'memory' | 'crash';

  constructor(code: 'timeout' | 'memory' | 'crash') {
    super(CRASH_SENTENCES[code]);
    this.name = 'ExtractionCrash';
    this.code = code;
  }
}

const CRASH_SENTENCES = {
  timeout: 'Reading this file took too long and was stopped.',
  memory: 'Reading this file took too much memory and was stopped.',
  crash: 'Reading this file failed unexpectedly.',
};

export interface ExtractionPoolOptions {
  /** Child processes kept warm. */
  size: number;
  /** Resident memory one child may take, in megabytes; its JavaScript heap gets three quarters. */
  memoryMb: number;
  /** Wall time for a file of up to 10 MB, in milliseconds; as much again for each further 10 MB. */
  timeoutMs: number;
  /** Files after which a child is replaced by a fresh one. */
  recycleAfter: number;
  log?: { warn(details: Record<string, unknown>, message: string): void };
}

export interface ExtractionJob extends DocumentContext {
  /** The file on this machine. */
  filePath: string;
  type: FileType;
}

/** A file as it was read: its text with places, and its chunks ready for the index. */
export type ReadDocument = Pick<Extraction, 'text' | 'segments'> &
  ReadingRest & { rows: IndexRow[] };

export interface ExtractionPool {
  /**
   * Reads a file in one of the children.
   *
   * @throws {ExtractionError} the file cannot be read
   * @throws {ExtractionCrash} the file ended its child; other files are not affected
   * @throws the signal's reason after an abort
   */
  extract(
    job: ExtractionJob,
    options?: { onProgress?: (percent: number) => void; signal?: AbortSignal },
  ): Promise<ReadDocument>;
  /** Process ids of the children, for the status and the tests. */
  pids(): number[];
  /** Ends all children; what is still being read is rejected. */
  close(): Promise<void>;
}

interface Task {
  request: ExtractRequest;
  timeoutMs: number;
  onProgress: ((percent: number) => void) | undefined;
  texts: string[];
  segments: Segment[];
  rows: IndexRow[];
  resolve: (document: ReadDocument) => void;
  reject: (reason: unknown) => void;
}

interface Child {
  process: ChildProcess;
  ready: boolean;
  files: number;
  task: Task | null;
  timer: NodeJS.Timeout | null;
  /** Why the pool ended this child; null while it was not. */
  killedFor: unknown;
  errorText: string;
  exited: Promise<void>;
}

const CHILD_PATH = fileURLToPath(new URL('./extraction-child.ts', import.meta.url));
/** All that a child sees of the environment: nothing secret is among it. */
const PASSED_ENV = ['TZ', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
const MEMORY_CHECK_EVERY_MS = 100;
const BYTES_PER_TIMEOUT = 10_000_000;
const MAX_ERROR_TEXT = 4000;
const MAX_FAILED_STARTS = 3;
const RESTART_DELAY_MS = 500;

/** Starts the children that read files. Each file is read alone, within time and memory bounds. */
export function createExtractionPool(options: ExtractionPoolOptions): ExtractionPool {
  const { size, memoryMb, timeoutMs, recycleAfter, log } = options;
  const children = new Set<Child>();
  const queue: Task[] = [];
  let nextId = 1;
  let failedStarts = 0;
  let closed = false;
  const memoryWatch = setInterval(() => void checkMemory(), MEMORY_CHECK_EVERY_MS);
  memoryWatch.unref();

  const start = (): void => {
    if (closed || children.size >= size) return;
    const child = spawn(memoryMb);
    children.add(child);
    child.process.on('message', (message: ChildMessage) => receive(child, message));
    child.process.on('error', (error) => log?.warn({ error: error.message }, 'extraction child'));
    void child.exited.then(() => gone(child));
  };

  const receive = (child: Child, message: ChildMessage): void => {
    if (message.kind === 'ready') {
      child.ready = true;
      failedStarts = 0;
      next();
      return;
    }
    const { task } = child;
    if (task === null || task.request.id !== message.id) return;
    if (message.kind === 'progress') task.onProgress?.(message.percent);
    else if (message.kind === 'text') task.texts.push(message.part);
    else if (message.kind === 'segments') task.segments.push(...message.part);
    else if (message.kind === 'rows') task.rows.push(...message.part);
    else {
      release(child);
      settle(task, message);
      next();
    }
  };

  /** The child's file is read: the child waits for the next one, or makes room for a fresh child. */
  const release = (child: Child): void => {
    if (child.timer !== null) clearTimeout(child.timer);
    child.timer = null;
    child.task = null;
    child.files += 1;
    if (child.files < recycleAfter) return;
    children.delete(child);
    if (child.process.connected) child.process.disconnect();
    start();
  };

  const gone = (child: Child): void => {
    if (child.timer !== null) clearTimeout(child.timer);
    const current = children.delete(child);
    if (child.task !== null) {
      const outOfMemory = /heap out of memory|Array buffer allocation failed/.test(child.errorText);
      const reason = child.killedFor ?? new ExtractionCrash(outOfMemory ? 'memory' : 'crash');
      if (reason instanceof ExtractionCrash) {
        const { artifactId, type } = child.task.request;
        const { errorText } = child;
        log?.warn({ artifactId, type, code: reason.code, errorText }, reason.message);
      }
      child.task.reject(reason);
      child.task = null;
    }
    if (closed || !current) return;
    if (child.ready) start();
    else restartLater(child);
  };

  /** A child that cannot even start must not be started in a tight loop, nor hold files for ever. */
  const restartLater = (child: Child): void => {
    failedStarts += 1;
    log?.warn({ errorText: child.errorText, failedStarts }, 'extraction child did not start');
    if (failedStarts >= MAX_FAILED_STARTS) {
      for (const task of queue.splice(0)) task.reject(new ExtractionCrash('crash'));
    }
    setTimeout(start, RESTART_DELAY_MS * Math.min(failedStarts, 60)).unref();
  };

  const next = (): void => {
    for (const child of children) {
      if (!child.ready || child.task !== null || child.killedFor !== null) continue;
      const task = queue.shift();
      if (task === undefined) return;
      child.task = task;
      child.timer = setTimeout(() => kill(child, new ExtractionCrash('timeout')), task.timeoutMs);
      // A child that died this instant is seen by its exit, which rejects the task.
      child.process.send(task.request, () => {});
    }
  };

  const checkMemory = async (): Promise<void> => {
    for (const child of children) {
      if (child.task === null) continue;
      const megabytes = await residentMegabytes(child.process.pid);
      if (megabytes > memoryMb && child.task !== null) kill(child, new ExtractionCrash('memory'));
    }
  };

  const abort = (task: Task, reason: unknown): void => {
    const waiting = queue.indexOf(task);
    if (waiting !== -1) {
      queue.splice(waiting, 1);
      task.reject(reason);
      return;
    }
    for (const child of children) if (child.task === task) kill(child, reason);
  };

  for (let count = 0; count < size; count += 1) start();

  return {
    async extract(job, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      // Not awaited: files are read in the order in which they were handed in.
      const { size: bytes } = statSync(job.filePath);
      if (closed) throw new Error('The extraction pool is closed.');
      return new Promise<ReadDocument>((resolve, reject) => {
        const onAbort = (): void => abort(task, signal?.reason);
        const task: Task = {
          request: { id: nextId++, ...job },
          timeoutMs: timeoutMs * Math.max(1, Math.ceil(bytes / BYTES_PER_TIMEOUT)),
          onProgress,
          texts: [],
          segments: [],
          rows: [],
          resolve(document) {
            signal?.removeEventListener('abort', onAbort);
            resolve(document);
          },
          reject(reason) {
            signal?.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(task);
        next();
      });
    },
    pids() {
      return [...children].flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
    },
    async close() {
      closed = true;
      clearInterval(memoryWatch);
      const reason = new Error('The extraction pool is closed.');
      for (const task of queue.splice(0)) task.reject(reason);
      const all = [...children];
      for (const child of all) kill(child, reason);
      await Promise.all(all.map((child) => child.exited));
    },
  };
}

function spawn(memoryMb: number): Child {
  const env = Object.fromEntries(
    PASSED_ENV.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const child = fork(CHILD_PATH, [], {
    execArgv: [
      `--max-old-space-size=${Math.max(64, Math.floor(memoryMb * 0.75))}`,
      '--no-warnings',
    ],
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const started: Child = {
    process: child,
    ready: false,
    files: 0,
    task: null,
    timer: null,
    killedFor: null,
    errorText: '',
    exited: new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
    }),
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    started.errorText = (started.errorText + text).slice(-MAX_ERROR_TEXT);
  });
  return started;
}

/** A busy child hears nothing: only SIGKILL ends it for certain. */
function kill(child: Child, reason: unknown): void {
  child.killedFor ??= reason;
  child.process.kill('SIGKILL');
}

function settle(task: Task, message: ChildMessage): void {
  if (message.kind === 'done') {
    const { texts, segments, rows } = task;
    task.resolve({ text: texts.join(''), segments, rows, ...message.rest });
  } else if (message.kind === 'refused') {
    task.reject(new ExtractionError(message.code, message.message));
  } else if (message.kind === 'unreadable') {
    task.reject(new Error(`The stored file could not be read: ${message.message}`));
  }
}

/** A process's resident memory; 0 where the system does not tell, and the heap limit must do. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
