import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/** What a thread says: that it is ready, what a task made, or why it failed. */
export type Told = { ready: true } | { made: unknown } | { failed: unknown };

/** … with the milliseconds that it has computed so far. */
export type FromThread = Told & { usedMs: number };

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

/**
 * The time of threads that one or several tasks may take: what they compute, so that it is the same
 * on a busy machine.
 */
export interface Budget {
  /** Milliseconds; each task takes away what it took. */
  leftMs: number;
}

/** A few threads that take tasks. */
export interface Threads<Input> {
  /**
   * Has a thread do a task, and answers a clone of what it made.
   * @throws ThreadEnded when it did not come to an end, or what the task itself threw
   */
  run(input: Input, budget: Budget): Promise<unknown>;
  /** Has each thread that is there do a task, when it is idle. */
  runOnEach(input: Input, budget: Budget): Promise<void>;
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
  budget: Budget;
  resolve: (made: unknown) => void;
  reject: (reason: unknown) => void;
  /** The thread that must do it. Default: any. */
  only?: Thread;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
  /** Milliseconds that it had computed when its task began. */
  usedMs: number;
  /** Why it is being ended. */
  failure: unknown;
}

/** Less than the engine's own default: tasks leave little behind. */
const YOUNG_MB = 8;

/** How many times its limit a task may take in all, on a machine that does something else. */
const PATIENCE = 5;

/** Milliseconds between two looks at a task that is over its limit and has not computed as long. */
const LOOK_MS = 50;

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

  /** Ends a thread whose task has computed for longer than it may. */
  const limit = (thread: Thread, task: Task): void => {
    const leftMs = Math.max(0, Math.ceil(task.budget.leftMs));
    const until = performance.now() + leftMs * PATIENCE;
    const look = async (): Promise<void> => {
      const { user, system } = await thread.worker.cpuUsage();
      if (thread.task !== task) return;
      const moreMs = leftMs - ((user + system) / 1000 - thread.usedMs);
      if (moreMs > 0 && performance.now() < until) again(Math.max(LOOK_MS, moreMs));
      else await end(thread, new ThreadEnded(`The task took more than ${leftMs} ms.`));
    };
    // A thread that ends meanwhile says so by itself.
    const again = (ms: number): void => {
      thread.timer = setTimeout(() => void look().catch(() => undefined), ms);
    };
    again(leftMs);
  };

  /** Starts threads until there are as many as are needed now. */
  const grow = (wanted: number): void => {
    if (closed) return;
    for (let missing = Math.min(most, wanted) - threads.size; missing > 0; missing -= 1) start();
  };

  const needed = (): number => {
    const queued = waiting.filter(({ only }) => only === undefined).length;
    const busy = [...threads].filter(({ task }) => task !== null).length + queued;
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
      const at = waiting.findIndex(({ only }) => only === undefined || only === thread);
      const [task] = at < 0 ? [] : waiting.splice(at, 1);
      if (task === undefined) continue;
      thread.task = task;
      limit(thread, task);
      thread.worker.postMessage(task.input, []);
    }
    // Whoever waits for a task keeps the process running, and nobody else.
    for (const { worker, ready, task } of threads) {
      if (task === null && ready) worker.unref();
      else worker.ref();
    }
    clearTimeout(idle);
    if (waiting.length > 0 || [...threads].some(({ task }) => task !== null)) return;
    idle = setTimeout(endIdle, idleMs).unref();
  };

  const onMessage = (thread: Thread, message: FromThread): void => {
    const taken = message.usedMs - thread.usedMs;
    thread.usedMs = message.usedMs;
    if ('ready' in message) thread.ready = true;
    else {
      const task = finish(thread);
      if (task) task.budget.leftMs -= taken;
      if ('failed' in message) task?.reject(message.failed);
      else task?.resolve(message.made);
    }
    dispatch();
  };

  const onExit = (thread: Thread): void => {
    threads.delete(thread);
    const ended = thread.failure instanceof ThreadEnded ? thread.failure : null;
    const failure = ended ?? new ThreadEnded('The thread ended.', { cause: thread.failure });
    for (const own of waiting.filter(({ only }) => only === thread)) {
      waiting.splice(waiting.indexOf(own), 1);
      own.reject(failure);
    }
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
    const unused = { task: null, timer: undefined, usedMs: 0, failure: null };
    const thread: Thread = { worker, ready: false, ...unused };
    threads.add(thread);
    worker.on('message', (message: FromThread) => onMessage(thread, message));
    worker.on('error', (error) => (thread.failure ??= error));
    worker.once('exit', () => onExit(thread));
  }

  return {
    run: (input, budget) =>
      new Promise((resolve, reject) => {
        if (closed) throw new ThreadEnded('The threads are closed.');
        waiting.push({ input, budget, resolve, reject });
        grow(needed());
        dispatch();
      }),
    async runOnEach(input, budget) {
      const done = [...threads].map(
        (only) =>
          new Promise((resolve, reject) => {
            waiting.push({ input, budget: { ...budget }, resolve, reject, only });
          }),
      );
      dispatch();
      // A thread that ended has nothing left to do.
      await Promise.allSettled(done);
    },
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
