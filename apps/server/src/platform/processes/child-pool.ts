import type { Clock } from '../clock.ts';
import { createFairQueue } from '../threads/fair-queue.ts';
import { residentMegabytes } from './resident-memory.ts';
import { createScratchFolder, type ScratchFolder } from './scratch-folder.ts';
import { ChildCrash, startTaskProcess } from './task-process.ts';

export interface ChildPoolOptions {
  name: string;
  /** The module of a process, which calls `serveTasks`. */
  script: URL;
  /** Passed to each process at start. Must not contain secrets. */
  settings?: object;
  size: number;
  /** The maximum resident memory. The JavaScript heap gets three quarters of it. */
  memoryMb: number;
  /** The parent folder of the processes' scratch folders. */
  scratch: string;
  /** Other files and folders that a process may read. They must exist. */
  reads?: readonly string[];
  /** The number of tasks after which a process is replaced. */
  recycleAfter: number;
  idleMs: number;
  /** Called when the last process has ended after being idle. */
  onIdle?: () => void;
  /** Measures the time of tasks. Default: the system's. */
  clock?: Clock;
  log?: { warn(details: Record<string, unknown>, message: string): void } | undefined;
}

interface ChildTaskOptions<Part> {
  /** The user. Users are served round robin. */
  group: string;
  /** From when a process starts the task. */
  timeoutMs: number;
  logFields: Record<string, unknown>;
  onPart?: (part: Part) => void;
  signal?: AbortSignal | undefined;
}

type ShowFile = (file: string) => string;

const MEMORY_CHECK_MS = 100;
/** A process that uses more than this share of its memory is replaced after its task. */
const RECYCLE_SHARE = 0.75;
const HEAP_SHARE = 0.75;
const MIN_HEAP_MB = 64;
const MAX_FAILED_STARTS = 3;
const RESTART_DELAY_MS = 500;

/** Runs tasks in processes, one at a time in each, with limits on time and memory. */
export function createChildPool<Request, Part, Result>(options: ChildPoolOptions) {
  interface Task extends PromiseWithResolvers<Result> {
    request: (show: ShowFile) => Request;
    options: ChildTaskOptions<Part>;
  }
  interface Child {
    process: ReturnType<typeof startTaskProcess<Request, Part, Result>>;
    scratch: ScratchFolder;
    ready: boolean;
    task: Task | null;
    tasksRun: number;
    idleTimer?: NodeJS.Timeout | undefined;
  }

  const { name, size, memoryMb, recycleAfter, idleMs, onIdle, log } = options;
  const children = new Set<Child>();
  const queue = createFairQueue<Task>();
  let failedStarts = 0;
  let closed = false;
  let restart: NodeJS.Timeout | undefined;
  const memoryWatch = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
  memoryWatch.unref();

  const closedError = (): Error => new Error(`The ${name} pool is closed.`);

  function startProcess(scratch: ScratchFolder): Child['process'] {
    const { script, settings = {}, reads = [], clock } = options;
    return startTaskProcess(
      {
        script,
        args: [JSON.stringify(settings)],
        reads: [scratch.path, ...reads],
        heapMb: Math.max(MIN_HEAP_MB, Math.floor(memoryMb * HEAP_SHARE)),
      },
      clock,
    );
  }

  function start(): void {
    if (closed || restart) return;
    let child: Child;
    try {
      const scratch = createScratchFolder(options.scratch);
      const process = startProcess(scratch);
      child = { process, scratch, ready: false, task: null, tasksRun: 0 };
    } catch (error) {
      // No space for its folder, or no further process is possible.
      restartLater(String(error));
      return;
    }
    children.add(child);
    void child.process.ready.then(() => {
      child.ready = true;
      failedStarts = 0;
      watchIdle(child);
      dispatch();
    });
    void child.process.exited.then(() => onExit(child));
  }

  function watchIdle(child: Child): void {
    child.idleTimer = setTimeout(() => {
      retire(child);
      if (children.size === 0) onIdle?.();
    }, idleMs).unref();
  }

  function retire(child: Child): void {
    children.delete(child);
    clearTimeout(child.idleTimer);
    child.process.kill();
  }

  function onExit(child: Child): void {
    child.scratch.remove();
    clearTimeout(child.idleTimer);
    if (!children.delete(child) || closed) return;
    if (child.ready) dispatch();
    else restartLater(child.process.errorText());
  }

  /** Delays the next start. After several failures, queued tasks are rejected. */
  function restartLater(errorText: string): void {
    failedStarts += 1;
    log?.warn({ errorText, failedStarts }, `a ${name} process did not start`);
    if (failedStarts >= MAX_FAILED_STARTS) {
      for (const task of queue.drain()) {
        task.reject(new Error(`The processes of the ${name} pool do not start.`));
      }
    }
    restart ??= setTimeout(
      () => {
        restart = undefined;
        dispatch();
      },
      RESTART_DELAY_MS * Math.min(failedStarts, 60),
    ).unref();
  }

  async function runTask(child: Child, task: Task): Promise<void> {
    const { timeoutMs, onPart, logFields } = task.options;
    const { process, scratch } = child;
    child.task = task;
    child.tasksRun += 1;
    clearTimeout(child.idleTimer);
    const links: Promise<void>[] = [];
    try {
      const request = task.request((file) => {
        const { path, linked } = scratch.show(file);
        links.push(linked);
        return path;
      });
      await Promise.all(links);
      task.resolve(await process.run(request, { timeoutMs, onPart }));
    } catch (error) {
      if (error instanceof ChildCrash) {
        log?.warn(
          { ...logFields, code: error.code, errorText: process.errorText() },
          error.message,
        );
      }
      task.reject(error);
    }
    scratch.clear();
    child.task = null;
    if (!children.has(child)) return;
    if (child.tasksRun < recycleAfter) watchIdle(child);
    else retire(child);
    dispatch();
  }

  function dispatch(): void {
    const free = [...children].filter(({ ready, task }) => ready && task === null);
    for (const child of free) {
      const task = queue.take();
      if (task === undefined) break;
      void runTask(child, task);
    }
    const busy = [...children].filter(({ task }) => task !== null).length;
    const missing = Math.min(size, busy + queue.size) - children.size;
    for (let index = 0; index < missing; index += 1) start();
  }

  async function checkMemory(): Promise<void> {
    for (const child of children) {
      const { task, process } = child;
      if (task === null) continue;
      const megabytes = await residentMegabytes(process.pid);
      if (child.task !== task) continue;
      if (megabytes > memoryMb) process.kill(new ChildCrash('memory'));
      // Memory of earlier tasks must not count for the next one.
      else if (megabytes > memoryMb * RECYCLE_SHARE) child.tasksRun = recycleAfter;
    }
  }

  function abort(task: Task, reason: unknown): void {
    if (queue.remove(task)) task.reject(reason);
    for (const child of children) if (child.task === task) child.process.kill(reason);
  }

  return {
    warmUp(): void {
      if (children.size === 0) start();
    },

    /**
     * Runs a task. Its request is created when a process is ready.
     * @throws ChildTaskError if the task failed, ChildCrash if it ended its process, or the signal's reason
     */
    async run(
      request: (show: ShowFile) => Request,
      taskOptions: ChildTaskOptions<Part>,
    ): Promise<Result> {
      const { signal, group } = taskOptions;
      signal?.throwIfAborted();
      if (closed) throw closedError();
      const task: Task = { request, options: taskOptions, ...Promise.withResolvers<Result>() };
      const onAbort = (): void => abort(task, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(group, task);
      dispatch();
      return task.promise.finally(() => signal?.removeEventListener('abort', onAbort));
    },

    pids(): number[] {
      return [...children].flatMap(({ process: { pid } }) => pid ?? []);
    },

    async close(): Promise<void> {
      closed = true;
      clearInterval(memoryWatch);
      clearTimeout(restart);
      const reason = closedError();
      for (const task of queue.drain()) task.reject(reason);
      const running = [...children];
      for (const { process } of running) process.kill(reason);
      await Promise.all(running.map(({ process }) => process.exited));
    },
  };
}
