import type { ChildFailure, ChildMessage, ChildRequest } from './child-serve.ts';
import {
  type ChildOptions,
  killChild,
  type PoolChild,
  ranOutOfMemory,
  startChild,
} from './child-process.ts';
import { createFairQueue } from '../jobs/fair-queue.ts';
import { residentMegabytes } from './resident-memory.ts';
import type { ShownFile } from './scratch-folder.ts';

export type ChildCrashCode = 'timeout' | 'memory' | 'crash';

/** A task whose process ended: it exceeded its limits or crashed. */
export class ChildCrash extends Error {
  readonly code: ChildCrashCode;

  constructor(code: ChildCrashCode) {
    super(`A task ended its process: ${code}.`);
    this.name = 'ChildCrash';
    this.code = code;
  }
}

export class ChildTaskError extends Error {
  readonly failure: ChildFailure;

  constructor(failure: ChildFailure) {
    super(failure.message);
    this.name = 'ChildTaskError';
    this.failure = failure;
  }
}

export interface ChildPoolOptions extends ChildOptions {
  name: string;
  size: number;
  /** Tasks after which a process is replaced. Ten quick ones count as one. */
  recycleAfter: number;
  idleMs: number;
  /** Called when the last process has ended because it was idle. */
  onIdle?: () => void;
  log?: { warn(details: Record<string, unknown>, message: string): void } | undefined;
}

interface ChildTaskOptions<Part> {
  /** The user. Users are served round robin. */
  group: string;
  /** Time limit from when a process begins, in milliseconds. */
  timeoutMs: number;
  about: Record<string, unknown>;
  onPart?: (part: Part) => void;
  signal?: AbortSignal | undefined;
  /** Whether it may be sent to a process that is still busy with another quick task. */
  quick?: boolean;
}

type ShowFile = (file: string) => string;

interface Task<Request, Part, Result> {
  id: number;
  request: (show: ShowFile) => Request;
  options: ChildTaskOptions<Part>;
  files: ShownFile[];
  abandoned: boolean;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

const MEMORY_CHECK_EVERY_MS = 100;
/** A process that used more than this share of its memory is replaced after its task. */
const WORN_SHARE = 0.75;
const MAX_FAILED_STARTS = 3;
const RESTART_DELAY_MS = 500;
/** The count of a quick task for the replacement of a process. */
const QUICK_TASK_SHARE = 0.1;
/** Maximum number of quick tasks that a process has at a time. */
const MAX_QUICK_TASKS = 4;

/**
 * Starts processes that run one task at a time with limits on time and memory. When a process ends, only
 * its current task has failed, and those that were sent after it are queued again.
 */
export function createChildPool<Request, Part, Result>(options: ChildPoolOptions) {
  type OwnTask = Task<Request, Part, Result>;
  interface Child extends PoolChild {
    given: number;
    /** Its tasks, of which the first is running. */
    tasks: OwnTask[];
    timer?: NodeJS.Timeout | undefined;
    idleTimer?: NodeJS.Timeout | undefined;
    /** Resolves when all of its tasks were sent to it. */
    sent: Promise<void>;
  }

  const { name, size, memoryMb, recycleAfter, idleMs, onIdle, log } = options;
  const children = new Set<Child>();
  const queue = createFairQueue<OwnTask>();
  let nextId = 1;
  let failedStarts = 0;
  let closed = false;
  let restart: NodeJS.Timeout | undefined;
  const memoryWatch = setInterval(() => void checkMemory(), MEMORY_CHECK_EVERY_MS);
  memoryWatch.unref();

  const closedError = (): Error => new Error(`The ${name} pool is closed.`);

  const start = (): void => {
    if (closed || restart) return;
    let started: PoolChild;
    try {
      started = startChild(options);
    } catch (error) {
      // There is no space for its folder, or no further process.
      restartLater(String(error));
      return;
    }
    const child: Child = Object.assign(started, {
      given: 0,
      tasks: [],
      sent: Promise.resolve(),
    });
    children.add(child);
    child.process.on('message', (message: ChildMessage<Part, Result>) => receive(child, message));
    child.process.on('error', (error) => log?.warn({ error: error.message }, `${name} child`));
    void child.exited.then(() => gone(child));
  };

  const startMissing = (): void => {
    const busy = [...children].filter((child) => child.tasks.length > 0).length;
    const missing = Math.min(size, busy + queue.size) - children.size;
    for (let at = 0; at < missing; at += 1) start();
  };

  const receive = (child: Child, message: ChildMessage<Part, Result>): void => {
    if (message.kind === 'ready') {
      child.ready = true;
      failedStarts = 0;
      watchIdle(child);
      next();
      return;
    }
    const [task] = child.tasks;
    if (task === undefined || task.id !== message.id) return;
    if (message.kind === 'part') {
      if (!task.abandoned) task.options.onPart?.(message.part);
      return;
    }
    release(child);
    if (message.kind === 'done') task.resolve(message.result);
    else task.reject(new ChildTaskError(message.failure));
    next();
  };

  const watchTime = (child: Child): void => {
    clearTimeout(child.timer);
    const [task] = child.tasks;
    child.timer = task
      ? setTimeout(() => killChild(child, new ChildCrash('timeout')), task.options.timeoutMs)
      : undefined;
  };

  /** Ends a task. The process continues with the next one, or is replaced. */
  const release = (child: Child): void => {
    for (const file of child.tasks.shift()?.files ?? []) child.scratch.takeAway(file);
    watchTime(child);
    watchIdle(child);
    if (child.given < recycleAfter || child.tasks.length > 0) return;
    dismiss(child);
    start();
  };

  const watchIdle = (child: Child): void => {
    clearTimeout(child.idleTimer);
    const end = (): void => {
      dismiss(child);
      if (children.size === 0) onIdle?.();
    };
    child.idleTimer = child.tasks.length > 0 ? undefined : setTimeout(end, idleMs).unref();
  };

  const dismiss = (child: Child): void => {
    children.delete(child);
    clearTimeout(child.idleTimer);
    if (child.process.connected) child.process.disconnect();
  };

  const gone = (child: Child): void => {
    const current = children.delete(child);
    const [task, ...sentAhead] = child.tasks;
    child.tasks = [];
    watchTime(child);
    clearTimeout(child.idleTimer);
    if (task !== undefined) {
      const reason = child.killedFor ?? new ChildCrash(ranOutOfMemory(child) ? 'memory' : 'crash');
      if (reason instanceof ChildCrash && !task.abandoned) {
        const { errorText } = child;
        log?.warn({ ...task.options.about, code: reason.code, errorText }, reason.message);
      }
      task.reject(reason);
    }
    for (const waiting of sentAhead.toReversed()) {
      if (closed) waiting.reject(closedError());
      else if (!waiting.abandoned) queue.putBack(waiting.options.group, waiting);
    }
    if (closed || !current) return;
    if (child.ready) next();
    else restartLater(child.errorText);
  };

  /** Delays the next start, and rejects the tasks after several failures. */
  const restartLater = (errorText: string): void => {
    failedStarts += 1;
    log?.warn({ errorText, failedStarts }, `a ${name} child did not start`);
    if (failedStarts >= MAX_FAILED_STARTS) {
      for (const task of queue.drain()) {
        task.reject(new Error(`The processes of the ${name} pool do not start.`));
      }
    }
    restart ??= setTimeout(
      () => {
        restart = undefined;
        next();
      },
      RESTART_DELAY_MS * Math.min(failedStarts, 60),
    ).unref();
  };

  const hasRoom = (child: Child, task: OwnTask): boolean => {
    if (!child.ready || child.killedFor !== null || child.given >= recycleAfter) return false;
    if (child.tasks.length === 0) return true;
    const quick = [...child.tasks, task].every(({ options: { quick = false } }) => quick);
    return quick && child.tasks.length < MAX_QUICK_TASKS;
  };

  const give = (child: Child, task: OwnTask): void => {
    child.given += task.options.quick ? QUICK_TASK_SHARE : 1;
    child.tasks.push(task);
    if (child.tasks.length === 1) watchTime(child);
    watchIdle(child);
    task.files = [];
    const request = task.request((file) => {
      const shown = child.scratch.show(file);
      task.files.push(shown);
      return shown.path;
    });
    const message: ChildRequest<Request> = { id: task.id, request };
    child.sent = child.sent
      .then(() => Promise.all(task.files.map(({ there }) => there)))
      // If the process has just died, its exit rejects the task.
      .then(() => void child.process.send(message, () => {}));
  };

  const next = (): void => {
    for (let task = queue.peek(); task !== undefined; task = queue.peek()) {
      const waiting = task;
      const [child] = [...children]
        .filter((each) => hasRoom(each, waiting))
        .toSorted((a, b) => a.tasks.length - b.tasks.length);
      if (child === undefined) break;
      queue.take();
      give(child, waiting);
    }
    startMissing();
  };

  const checkMemory = async (): Promise<void> => {
    for (const child of children) {
      const [task] = child.tasks;
      if (task === undefined) continue;
      const megabytes = await residentMegabytes(child.process.pid);
      if (child.tasks[0] !== task) continue;
      if (megabytes > memoryMb) killChild(child, new ChildCrash('memory'));
      // Memory that is left of earlier tasks must not count for the next one.
      else if (megabytes > memoryMb * WORN_SHARE) child.given = recycleAfter;
    }
  };

  const abort = (task: OwnTask, reason: unknown): void => {
    if (queue.remove(task)) {
      task.reject(reason);
      return;
    }
    for (const child of children) {
      if (child.tasks[0] === task) killChild(child, reason);
      else if (child.tasks.includes(task)) {
        task.abandoned = true;
        task.reject(reason);
      }
    }
  };

  return {
    warmUp(): void {
      if (children.size === 0) start();
    },

    /**
     * Runs a task. Its request is made when a process is ready for it.
     * @throws ChildTaskError if the task failed, ChildCrash if it ended its process, or the signal's reason
     */
    async run(
      request: (show: ShowFile) => Request,
      taskOptions: ChildTaskOptions<Part>,
    ): Promise<Result> {
      const { signal, group } = taskOptions;
      signal?.throwIfAborted();
      if (closed) throw closedError();
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const task: OwnTask = {
        id: nextId++,
        request,
        options: taskOptions,
        files: [],
        abandoned: false,
        resolve,
        reject,
      };
      const onAbort = (): void => abort(task, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(group, task);
      next();
      return promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },

    pids(): number[] {
      return [...children].flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
    },

    async close(): Promise<void> {
      closed = true;
      clearInterval(memoryWatch);
      clearTimeout(restart);
      const reason = closedError();
      for (const task of queue.drain()) task.reject(reason);
      const all = [...children];
      for (const child of all) killChild(child, reason);
      await Promise.all(all.map((child) => child.exited));
    },
  };
}
