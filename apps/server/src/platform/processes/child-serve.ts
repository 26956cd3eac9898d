import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { drop } from './drop.ts';

/** A task for a child, which runs them one by one. */
export interface ChildRequest<Request> {
  id: number;
  request: Request;
}

/** Aborts the signal of a task that is running or queued. */
export interface ChildStop {
  stop: number;
}

/** The error of a task, in a form that can be sent between processes. */
export interface ChildFailure {
  /** The name of the error's class. */
  name: string;
  code: string | null;
  message: string;
}

/** A message from a child. Long results are sent in parts, so that no message blocks the server. */
export type ChildMessage<Part, Result> =
  | { kind: 'ready' }
  | { kind: 'part'; id: number; part: Part }
  | { kind: 'done'; id: number; result: Result }
  | { kind: 'failed'; id: number; failure: ChildFailure };

/** Runs a task. `send` sends a part of the result. The signal is aborted if the result is not needed. */
export type TaskHandler<Request, Part, Result> = (
  request: Request,
  send: (part: Part) => Promise<void>,
  signal: AbortSignal,
) => Promise<Result>;

interface ServeOptions<Request, Part, Result> {
  /** From -20 (highest priority) to 19 (lowest). */
  niceness: number;
  threads: boolean;
  /** Loads the handler. The process accepts tasks afterwards. */
  prepare(): Promise<TaskHandler<Request, Part, Result>>;
}

export const childSettings = (): unknown => JSON.parse(process.argv[2] ?? '{}');

/** Runs tasks of the parent process one by one, until the parent ends. */
export async function serveTasks<Request, Part, Result>({
  niceness,
  threads,
  prepare,
}: ServeOptions<Request, Part, Result>): Promise<void> {
  setPriority(niceness);
  // The whole process group gets these signals, but the parent decides when this process ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // Libraries reject promises that nobody awaits, even after the task, such as pdf.js for damaged files.
  process.on('unhandledRejection', () => {});
  // A normal exit would wait for file reads that may never end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A task may block this thread, so another one watches the parent.
  new Worker(new URL('./parent-watch.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref();
  const handle = await prepare();
  if (!threads) drop('worker');

  const send = (message: ChildMessage<Part, Result>): Promise<void> =>
    new Promise((resolve) => {
      // If the parent has ended, 'disconnect' ends this process.
      if (process.connected) process.send?.(message, undefined, {}, () => resolve());
      else resolve();
    });

  const stops = new Map<number, AbortController>();

  const runTask = async ({ id, request }: ChildRequest<Request>): Promise<void> => {
    const stop = stops.get(id) ?? new AbortController();
    try {
      const sendPart = (part: Part) => send({ kind: 'part', id, part });
      const result = await handle(request, sendPart, stop.signal);
      await send({ kind: 'done', id, result });
    } catch (error) {
      await send({ kind: 'failed', id, failure: describe(error) });
    } finally {
      stops.delete(id);
    }
    // The process is killed in the end, so it stores the code that the task has loaded.
    flushCompileCache();
  };

  // The parent may send several tasks.
  let last = Promise.resolve();
  process.on('message', (message: ChildRequest<Request> | ChildStop) => {
    if ('stop' in message) {
      stops.get(message.stop)?.abort();
      return;
    }
    stops.set(message.id, new AbortController());
    last = last.then(() => runTask(message));
  });
  await send({ kind: 'ready' });
}

function describe(error: unknown): ChildFailure {
  if (!(error instanceof Error)) return { name: 'Error', code: null, message: String(error) };
  const { name, message } = error;
  return { name, message, code: 'code' in error ? String(error.code) : null };
}
