import { type Clock, systemClock } from '../clock.ts';
import type { ChildFailure, ChildMessage, ChildRequest, ChildStop } from './child-serve.ts';
import { startSealed, type SealedProcessOptions } from './sealed-process.ts';

export type ChildCrashCode = 'timeout' | 'memory' | 'crash';

/** A task exceeded its limits or crashed its process. */
export class ChildCrash extends Error {
  override readonly name = 'ChildCrash';
  readonly code: ChildCrashCode;

  constructor(code: ChildCrashCode) {
    super(`A task ended its process: ${code}.`);
    this.code = code;
  }
}

export class ChildTaskError extends Error {
  override readonly name = 'ChildTaskError';
  readonly failure: ChildFailure;

  constructor(failure: ChildFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

interface RunOptions<Part> {
  onPart?: ((part: Part) => void) | undefined;
  /** When the process is killed. Default: never. */
  timeoutMs?: number;
  /** Asks the task to stop. If it does not, its process is killed. */
  signal?: AbortSignal;
}

const STOP_MS = 5000;
const MAX_ERROR_TEXT = 4000;
const OUT_OF_MEMORY = /heap out of memory|Array buffer allocation failed/u;

/** Starts a sealed process that runs tasks until it is killed. Its module must call `serveTasks`. */
export function startTaskProcess<Request, Part, Result>(
  options: SealedProcessOptions,
  clock: Clock = systemClock,
) {
  type Task = PromiseWithResolvers<Result> & Pick<RunOptions<Part>, 'onPart'>;
  const child = startSealed(options);
  const tasks = new Map<number, Task>();
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let lastId = 0;
  let errorText = '';
  let killedFor: unknown;
  /** Why the process ended. */
  let endedBy: unknown;

  /** Only SIGKILL reliably ends a busy process. */
  const kill = (reason?: unknown): void => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const end = (): void => {
    endedBy = killedFor ?? new ChildCrash(OUT_OF_MEMORY.test(errorText) ? 'memory' : 'crash');
    // Resolved first, so that the process gets no further task.
    exited.resolve();
    for (const { reject } of tasks.values()) reject(endedBy);
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-MAX_ERROR_TEXT);
  });
  child.on('message', (message: ChildMessage<Part, Result>) => {
    if (message.kind === 'ready') return ready.resolve();
    const task = tasks.get(message.id);
    if (message.kind === 'part') task?.onPart?.(message.part);
    if (message.kind === 'done') task?.resolve(message.result);
    if (message.kind === 'failed') task?.reject(new ChildTaskError(message.failure));
  });
  child.once('exit', end);
  child.on('error', (error) => {
    errorText = error.message;
    if (child.pid === undefined) end();
  });

  return {
    pid: child.pid,
    ready: ready.promise,
    /** Resolves when the process has ended or could not be started. */
    exited: exited.promise,
    errorText: (): string => errorText,
    kill,

    /** @throws ChildTaskError if the task failed, ChildCrash if the process ended, or the reason of `kill` */
    async run(
      request: Request,
      { onPart, timeoutMs, signal }: RunOptions<Part> = {},
    ): Promise<Result> {
      if (endedBy !== undefined) throw endedBy;
      const id = ++lastId;
      const task: Task = { ...Promise.withResolvers<Result>(), onPart };
      tasks.set(id, task);
      const timers: unknown[] = [];
      if (timeoutMs !== undefined) {
        timers.push(clock.setTimeout(() => kill(new ChildCrash('timeout')), timeoutMs));
      }
      const send = (message: ChildRequest<Request> | ChildStop): void => {
        // If the process has just died, its exit rejects the task.
        if (child.connected) child.send(message, () => {});
      };
      const stop = (): void => {
        send({ stop: id });
        timers.push(clock.setTimeout(kill, STOP_MS));
      };
      signal?.addEventListener('abort', stop, { once: true });
      send({ id, request });
      try {
        return await task.promise;
      } finally {
        tasks.delete(id);
        signal?.removeEventListener('abort', stop);
        for (const timer of timers) clock.clearTimeout(timer);
      }
    },
  };
}
