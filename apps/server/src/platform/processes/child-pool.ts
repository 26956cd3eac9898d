import type { ChildFailure, ChildMessage, ChildRequest } from './child-messages.ts';
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

/** A task that ended the process that did it: by its bounds on time or memory, or by itself. */
export class ChildCrash extends Error {
  readonly code: ChildCrashCode;

  constructor(code: ChildCrashCode) {
    super(`A task ended its process: ${code}.`);
    this.name = 'ChildCrash';
    this.code = code;
  }
}

/** A task that failed in its child without harming it. */
export class ChildTaskError extends Error {
  readonly failure: ChildFailure;

  constructor(failure: ChildFailure) {
    super(failure.message);
    this.name = 'ChildTaskError';
    this.failure = failure;
  }
}

export interface ChildPoolOptions extends ChildOptions {
  /** What stands in the log for these children. */
  name: string;
  /** Most child processes; they start when there is something to do. */
  size: number;
  /** Tasks after which a child is replaced by a fresh one; ten quick ones count as one. */
  recycleAfter: number;
  /** Milliseconds without a task after which a child ends. */
  idleMs: number;
  /** Told when the last child has ended for want of tasks. */
  onIdle?: () => void;
  log?: { warn(details: Record<string, unknown>, message: string): void } | undefined;
}

export interface ChildTaskOptions<Part> {
  /** Whose task it is: groups take turns. */
  group: string;
  /** Wall time from when a child begins, in milliseconds. */
  timeoutMs: number;
  /** What stands in the log when the task ends its child. */
  about: Record<string, unknown>;
  onPart?: (part: Part) => void;
  signal?: AbortSignal | undefined;
  /**
   * Surely done in a moment: it may be sent to a child that is still busy with another such task,
   * so that the child never waits for the server in between.
   */
  quick?: boolean;
}

/** Says where a child finds a file, which is there for this task alone. */
export type ShowFile = (file: string) => string;

export interface ChildPool<Request, Part, Result> {
  /** Starts a child where there is none: there will be a task in a moment. */
  warmUp(): void;
  /**
   * Has a child do a task, which is put together when a child is there for it. What it sends
   * meanwhile goes to `onPart`.
   *
   * @throws {ChildTaskError} the task failed
   * @throws {ChildCrash} the task ended its child; other tasks are not affected
   * @throws the signal's reason after an abort
   */
  run(request: (show: ShowFile) => Request, options: ChildTaskOptions<Part>): Promise<Result>;
  /** Process ids of the children, for the status and the tests. */
  pids(): number[];
  /** Ends all children; what is still being done is rejected. */
  close(): Promise<void>;
}

interface Task<Request, Part, Result> {
  id: number;
  request: (show: ShowFile) => Request;
  options: ChildTaskOptions<Part>;
  /** The files of the task where its child finds them. */
  files: ShownFile[];
  /** Nobody waits for it any more. */
  abandoned: boolean;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

const MEMORY_CHECK_EVERY_MS = 100;
/** A child that took more than this share of its memory is replaced after its task. */
const WORN_SHARE = 0.75;
const MAX_FAILED_STARTS = 3;
const RESTART_DELAY_MS = 500;
/** What a quick task counts when a child is replaced after its share of tasks. */
const QUICK_TASK_SHARE = 0.1;
/** Quick tasks that a child may have at a time, the one it does among them. */
const MOST_QUICK_TASKS = 4;

/**
 * Starts children that do one task at a time, each within its bounds on time and memory. Who ends a
 * child is the task that it was doing: quick ones that were sent after it wait again.
 */
export function createChildPool<Request, Part, Result>(
  options: ChildPoolOptions,
): ChildPool<Request, Part, Result> {
  type OwnTask = Task<Request, Part, Result>;
  interface Child extends PoolChild {
    /** How many it was given since its start. */
    given: number;
    /** What it has to do: the first is under way. */
    tasks: OwnTask[];
    timer: NodeJS.Timeout | null;
    /** Ends it when it has had nothing to do for long enough. */
    idleTimer: NodeJS.Timeout | null;
    /** Resolves when all of its tasks were sent to it. */
    sent: Promise<void>;
  }

  const { name, size, memoryMb, recycleAfter, idleMs, onIdle, log } = options;
  const children = new Set<Child>();
  const queue = createFairQueue<OwnTask>();
  let nextId = 1;
  let failedStarts = 0;
  let closed = false;
  let restart: NodeJS.Timeout | null = null;
  const memoryWatch = setInterval(() => void checkMemory(), MEMORY_CHECK_EVERY_MS);
  memoryWatch.unref();

  const closedError = (): Error => new Error(`The ${name} pool is closed.`);

  const start = (): void => {
    if (closed || restart !== null) return;
    const timers = { timer: null, idleTimer: null };
    let started: PoolChild;
    try {
      started = startChild(options);
    } catch (error) {
      // No room for its folder, or for another process.
      restartLater(String(error));
      return;
    }
    const child: Child = Object.assign(started, {
      given: 0,
      tasks: [],
      sent: Promise.resolve(),
      ...timers,
    });
    children.add(child);
    child.process.on('message', (message: ChildMessage<Part, Result>) => receive(child, message));
    child.process.on('error', (error) => log?.warn({ error: error.message }, `${name} child`));
    void child.exited.then(() => gone(child));
  };

  /** Starts a child for each waiting task that has none, as far as there may be so many. */
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

  /** Bounds the time of the task under way. */
  const watchTime = (child: Child): void => {
    if (child.timer !== null) clearTimeout(child.timer);
    const [task] = child.tasks;
    child.timer = task
      ? setTimeout(() => killChild(child, new ChildCrash('timeout')), task.options.timeoutMs)
      : null;
  };

  /** The child's task is done: it goes on with the next one, or makes room for a fresh child. */
  const release = (child: Child): void => {
    for (const file of child.tasks.shift()?.files ?? []) child.scratch.takeAway(file);
    watchTime(child);
    watchIdle(child);
    if (child.given < recycleAfter || child.tasks.length > 0) return;
    dismiss(child);
    start();
  };

  /** Bounds the time for which the child has nothing to do. */
  const watchIdle = (child: Child): void => {
    if (child.idleTimer !== null) clearTimeout(child.idleTimer);
    const end = (): void => {
      dismiss(child);
      if (children.size === 0) onIdle?.();
    };
    child.idleTimer = child.tasks.length > 0 ? null : setTimeout(end, idleMs).unref();
  };

  /** Lets a child that has nothing to do end. */
  const dismiss = (child: Child): void => {
    children.delete(child);
    if (child.idleTimer !== null) clearTimeout(child.idleTimer);
    if (child.process.connected) child.process.disconnect();
  };

  const gone = (child: Child): void => {
    const current = children.delete(child);
    const [task, ...sentAhead] = child.tasks;
    child.tasks = [];
    watchTime(child);
    if (child.idleTimer !== null) clearTimeout(child.idleTimer);
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

  /** A child that cannot even start must not be started in a tight loop, nor hold tasks for ever. */
  const restartLater = (errorText: string): void => {
    failedStarts += 1;
    log?.warn({ errorText, failedStarts }, `a ${name} child did not start`);
    if (failedStarts >= MAX_FAILED_STARTS) {
      // No task was begun: it says nothing of them.
      for (const task of queue.drain()) {
        task.reject(new Error(`The processes of the ${name} pool do not start.`));
      }
    }
    restart ??= setTimeout(
      () => {
        restart = null;
        next();
      },
      RESTART_DELAY_MS * Math.min(failedStarts, 60),
    ).unref();
  };

  /** Whether a child may be given a task now. */
  const hasRoom = (child: Child, task: OwnTask): boolean => {
    if (!child.ready || child.killedFor !== null || child.given >= recycleAfter) return false;
    if (child.tasks.length === 0) return true;
    const quick = [...child.tasks, task].every(({ options: { quick = false } }) => quick);
    return quick && child.tasks.length < MOST_QUICK_TASKS;
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
      // A child that died this instant is seen by its exit, which rejects the task.
      .then(() => void child.process.send(message, () => {}));
  };

  /** Gives waiting tasks to the children that have room, those first that have the least to do. */
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
      // What earlier tasks left in it must not cost the next one its memory.
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
    warmUp() {
      if (children.size === 0) start();
    },
    async run(request, taskOptions) {
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
    pids() {
      return [...children].flatMap(({ process: { pid } }) => (pid === undefined ? [] : [pid]));
    },
    async close() {
      closed = true;
      clearInterval(memoryWatch);
      if (restart !== null) clearTimeout(restart);
      const reason = closedError();
      for (const task of queue.drain()) task.reject(reason);
      const all = [...children];
      for (const child of all) killChild(child, reason);
      await Promise.all(all.map((child) => child.exited));
    },
  };
}
