import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** A message from a thread: it is ready, or a task's result or error. */
export type ThreadMessage = { ready: true } | { result: unknown } | { error: unknown };

/** `usedMs` is the CPU time of the thread. */
export type TimedMessage = ThreadMessage & { usedMs: number };

export interface ThreadsOptions {
  script: URL;
  min?: number;
  max: number;
  /** Idle threads that are started in advance while others are busy. */
  spare?: number;
  idleMs: number;
  heapMb: number;
}

/** The CPU time that one or several tasks may use, independent of other load. */
interface Budget {
  leftMs: number;
}

/** A thread ended before its task was done. The cause is its error. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

interface Task {
  input: unknown;
  budget: Budget;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
  only?: Thread;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
  /** CPU time when its task began, in milliseconds. */
  usedMs: number;
  failure: unknown;
}

const YOUNG_MB = 8;

/** The factor by which the elapsed time may exceed the CPU time limit, on a busy machine. */
const MAX_SLOWDOWN = 5;

/** The minimum interval between checks of a task. */
const MIN_CHECK_MS = 50;

/**
 * Runs work that would block the server in threads, one task at a time in each. A thread that takes too long,
 * uses too much memory or crashes is replaced, and only its own task fails.
 */
export function createThreads<Input>(options: ThreadsOptions) {
  const { script, min = 0, max, spare = 0, idleMs, heapMb } = options;
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

  const limit = (thread: Thread, task: Task): void => {
    const leftMs = Math.max(0, Math.ceil(task.budget.leftMs));
    const until = performance.now() + leftMs * MAX_SLOWDOWN;
    const check = async (): Promise<void> => {
      const { user, system } = await thread.worker.cpuUsage();
      if (thread.task !== task) return;
      const moreMs = leftMs - ((user + system) / 1000 - thread.usedMs);
      if (moreMs > 0 && performance.now() < until) checkLater(Math.max(MIN_CHECK_MS, moreMs));
      else await end(thread, new ThreadEnded(`The task took more than ${leftMs} ms.`));
    };
    const checkLater = (ms: number): void => {
      thread.timer = setTimeout(() => void check().catch(() => undefined), ms);
    };
    checkLater(leftMs);
  };

  const grow = (count: number): void => {
    if (closed) return;
    for (let missing = Math.min(max, count) - threads.size; missing > 0; missing -= 1) start();
  };

  const needed = (): number => {
    const queued = waiting.filter(({ only }) => only === undefined).length;
    const busy = [...threads].filter(({ task }) => task !== null).length + queued;
    return Math.max(min, busy === 0 ? 0 : busy + spare);
  };

  const endIdle = (): void => {
    const unused = [...threads].filter(({ task }) => task === null);
    for (const thread of unused.slice(0, Math.max(0, threads.size - min))) {
      void end(thread, new ThreadEnded('The thread was idle.'));
    }
  };

  const dispatch = (): void => {
    for (const thread of threads) {
      if (!thread.ready || thread.task !== null || thread.failure !== null) continue;
      const index = waiting.findIndex(({ only }) => only === undefined || only === thread);
      const [task] = index < 0 ? [] : waiting.splice(index, 1);
      if (task === undefined) continue;
      thread.task = task;
      limit(thread, task);
      thread.worker.postMessage(task.input, []);
    }
    // Only threads with a task keep the process running.
    for (const { worker, ready, task } of threads) {
      if (task === null && ready) worker.unref();
      else worker.ref();
    }
    clearTimeout(idle);
    if (waiting.length > 0 || [...threads].some(({ task }) => task !== null)) return;
    idle = setTimeout(endIdle, idleMs).unref();
  };

  const onMessage = (thread: Thread, message: TimedMessage): void => {
    const elapsed = message.usedMs - thread.usedMs;
    thread.usedMs = message.usedMs;
    if ('ready' in message) thread.ready = true;
    else {
      const task = finish(thread);
      if (task) task.budget.leftMs -= elapsed;
      if ('error' in message) task?.reject(message.error);
      else task?.resolve(message.result);
    }
    dispatch();
  };

  const onExit = (thread: Thread): void => {
    threads.delete(thread);
    const ended = thread.failure instanceof ThreadEnded ? thread.failure : null;
    const failure = ended ?? new ThreadEnded('The thread ended.', { cause: thread.failure });
    for (const task of waiting.filter(({ only }) => only === thread)) {
      waiting.splice(waiting.indexOf(task), 1);
      task.reject(failure);
    }
    // If a thread cannot start, one task fails, so that starts are not repeated forever.
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
    const unused = { task: null, timer: undefined, usedMs: 0, failure: null };
    const thread: Thread = { worker, ready: false, ...unused };
    threads.add(thread);
    worker.on('message', (message: TimedMessage) => onMessage(thread, message));
    worker.on('error', (error) => (thread.failure ??= error));
    worker.once('exit', () => onExit(thread));
  }

  return {
    /** The result of a task, cloned. @throws ThreadEnded if it was aborted, or its error */
    run: (input: Input, budget: Budget): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (closed) throw new ThreadEnded('The threads are closed.');
        waiting.push({ input, budget, resolve, reject });
        grow(needed());
        dispatch();
      }),

    /** Runs a task in each existing thread. */
    async runOnEach(input: Input, budget: Budget): Promise<void> {
      const done = [...threads].map(
        (only) =>
          new Promise((resolve, reject) => {
            waiting.push({ input, budget: { ...budget }, resolve, reject, only });
          }),
      );
      dispatch();
      // Threads that have ended are ignored.
      await Promise.allSettled(done);
    },

    warmUp: (): void => grow(min),

    ids: (): number[] => [...threads].map(({ worker }) => worker.threadId),

    async close(): Promise<void> {
      closed = true;
      clearTimeout(idle);
      const reason = new ThreadEnded('The server is stopping.');
      for (const task of waiting.splice(0)) task.reject(reason);
      await Promise.all([...threads].map((thread) => end(thread, reason)));
    },
  };
}
