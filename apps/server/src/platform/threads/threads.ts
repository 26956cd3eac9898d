import { Worker } from 'node:worker_threads';

/** What a thread says: that it is ready, what a task made, or why it failed. */
export type FromThread = { ready: true } | { made: unknown } | { failed: unknown };

export interface ThreadsOptions {
  /** The threads' program: it calls `serveTasks`. */
  script: URL;
  /** Threads that stay when nobody asks, once one was needed. Default: none. */
  least?: number;
  /** Threads that there are at most. */
  most: number;
  /** Threads that wait beside those at work while tasks come, so that nobody waits for a start. */
  spare?: number;
  /** Milliseconds without a task after which all but the least end. */
  idleMs: number;
  /** The heap that a thread's JavaScript may take, in megabytes; one that needs more ends. */
  heapMb: number;
}

/** A few threads that take tasks. */
export interface Threads<Input> {
  /**
   * Has a thread do a task, and answers a clone of what it made.
   * @param limitMs milliseconds from when a thread begins until it is ended
   * @throws ThreadEnded when it did not come to an end, or what the task itself threw
   */
  run(input: Input, limitMs: number): Promise<unknown>;
  /** Starts the least that there shall be. */
  warmUp(): void;
  /** The numbers of the threads that are there. */
  ids(): number[];
  /** Ends all threads, and fails what they do. */
  close(): Promise<void>;
}

/** A thread ended before its task did; `cause` says how where it ended by itself. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface Task {
  input: unknown;
  limitMs: number;
  resolve: (made: unknown) => void;
  reject: (reason: unknown) => void;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
  /** Why it is being ended. */
  failure: unknown;
}

/** A tenth of the engine's own default: tasks leave little behind, and each thread has one. */
const YOUNG_MB = 8;

/**
 * Threads for work that must not hold up the server: each does one task at a time. One that takes too
 * long, grows too large or dies is replaced, and only its own task fails.
 */
export function createThreads<Input>(options: ThreadsOptions): Threads<Input> {
  const { script, least = 0, most, spare = 0, idleMs, heapMb } = options;
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  const end = async (thread: Thread, failure: unknown): Promise<void> => {
    clearTimeout(thread.timer);
    thread.failure ??= failure;
    await thread.worker.terminate();
  };

  const finish = (thread: Thread): Task | null => {
    clearTimeout(thread.timer);
    const { task } = thread;
    thread.task = null;
    return task;
  };

  /** Starts threads until there are as many as are needed now. */
  const grow = (wanted: number): void => {
    while (!closed && threads.size < Math.min(most, wanted)) start();
  };

  const needed = (): number => {
    const busy = [...threads].filter(({ task }) => task !== null).length + waiting.length;
    return Math.max(least, busy === 0 ? 0 : busy + spare);
  };

  const endIdle = (): void => {
    const unused = [...threads].filter(({ task }) => task === null);
    for (const thread of unused.slice(0, Math.max(0, threads.size - least))) {
      void end(thread, new ThreadEnded('Nobody needed it.'));
    }
  };

  const dispatch = (): void => {
    for (const thread of threads) {
      if (!thread.ready || thread.task !== null || thread.failure !== null) continue;
      const task = waiting.shift();
      if (task === undefined) break;
      thread.task = task;
      thread.timer = setTimeout(() => {
        void end(thread, new ThreadEnded(`The task took more than ${task.limitMs} ms.`));
      }, task.limitMs);
      thread.worker.postMessage(task.input);
    }
    clearTimeout(idle);
    if (waiting.length > 0 || [...threads].some(({ task }) => task !== null)) return;
    idle = setTimeout(endIdle, idleMs).unref();
  };

  const onMessage = (thread: Thread, message: FromThread): void => {
    if ('ready' in message) thread.ready = true;
    else {
      const task = finish(thread);
      if ('failed' in message) task?.reject(message.failed);
      else task?.resolve(message.made);
    }
    dispatch();
  };

  const onExit = (thread: Thread): void => {
    threads.delete(thread);
    const ended = thread.failure instanceof ThreadEnded ? thread.failure : null;
    const failure = ended ?? new ThreadEnded('The thread ended.', { cause: thread.failure });
    // One that cannot even start would be started for ever: somebody who waits for it is told.
    const task = finish(thread) ?? (thread.ready || ended ? undefined : waiting.shift());
    task?.reject(failure);
    if (thread.ready || waiting.length > 0) grow(needed());
    dispatch();
  };

  function start(): void {
    const worker = new Worker(script, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const thread: Thread = { worker, ready: false, task: null, timer: undefined, failure: null };
    threads.add(thread);
    worker.on('message', (message: FromThread) => onMessage(thread, message));
    worker.on('error', (error) => (thread.failure ??= error));
    worker.once('exit', () => onExit(thread));
    worker.unref();
  }

  return {
    run: (input, limitMs) =>
      new Promise((resolve, reject) => {
        if (closed) throw new ThreadEnded('The threads are closed.');
        waiting.push({ input, limitMs, resolve, reject });
        grow(needed());
        dispatch();
      }),
    warmUp: () => grow(least),
    ids: () => [...threads].map(({ worker }) => worker.threadId),
    async close() {
      closed = true;
      clearTimeout(idle);
      const reason = new ThreadEnded('The server is stopping.');
      for (const task of waiting.splice(0)) task.reject(reason);
      await Promise.all([...threads].map((thread) => end(thread, reason)));
    },
  };
}
