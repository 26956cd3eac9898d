import type { Clock } from '../clock.ts';
import type { ChildMessage, ChildRequest, ChildStop } from './child-serve.ts';
import { ChildCrash, ChildTaskError } from './child-pool.ts';
import { startSealed, type SealedProcessOptions } from './sealed-process.ts';
interface RunOptions<Part> {
  onPart?: (part: Part) => void;
  /** Milliseconds after which the process is killed. Default: no limit. */
  timeoutMs?: number;
  /** Asks the task to stop. A task that does not stop is killed with its process. */
  signal?: AbortSignal;
}

const STOP_MS = 5000;

/** Starts a sealed process that runs tasks until it is killed; its module calls `serveTasks`. */
export function startTaskProcess<Request, Part, Result>(
  options: Omit<SealedProcessOptions, 'keepsErrors'>,
  clock: Clock,
) {
  type Task = PromiseWithResolvers<Result> & Pick<RunOptions<Part>, 'onPart'>;
  const child = startSealed({ ...options, keepsErrors: false });
  const kill = (): void => void child.kill('SIGKILL');
  const tasks = new Map<number, Task>();
  const ended = Promise.withResolvers<void>();
  let lastId = 0;
  let isGone = false;

  child.on('message', (message: ChildMessage<Part, Result>) => {
    if (message.kind === 'ready') return;
    const task = tasks.get(message.id);
    if (message.kind === 'part') task?.onPart?.(message.part);
    if (message.kind === 'done') task?.resolve(message.result);
    if (message.kind === 'failed') task?.reject(new ChildTaskError(message.failure));
  });
  const end = (): void => {
    isGone = true;
    for (const { reject } of tasks.values()) reject(new ChildCrash('crash'));
    ended.resolve();
  };
  child.once('exit', end);
  child.once('error', end);

  /** @throws ChildTaskError if the task failed, ChildCrash if the process ended or was too slow */
  async function run(
    request: Request,
    { onPart, timeoutMs, signal }: RunOptions<Part> = {},
  ): Promise<Result> {
    if (isGone) throw new ChildCrash('crash');
    const id = ++lastId;
    const task: Task = { ...Promise.withResolvers<Result>(), ...(onPart && { onPart }) };
    tasks.set(id, task);
    const timers: unknown[] = [];
    const timeOut = (): void => {
      task.reject(new ChildCrash('timeout'));
      kill();
    };
    if (timeoutMs !== undefined) timers.push(clock.setTimeout(timeOut, timeoutMs));
    const stop = (): void => {
      if (child.connected) child.send({ stop: id } satisfies ChildStop);
      timers.push(clock.setTimeout(kill, STOP_MS));
    };
    signal?.addEventListener('abort', stop, { once: true });
    child.send({ id, request } satisfies ChildRequest<Request>);
    try {
      return await task.promise;
    } finally {
      tasks.delete(id);
      signal?.removeEventListener('abort', stop);
      for (const timer of timers) clock.clearTimeout(timer);
    }
  }

  return {
    run,
    kill,
    exited: ended.promise,
  };
}
