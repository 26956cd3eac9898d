import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { drop } from './drop.ts';
import type { ChildFailure, ChildMessage, ChildRequest, ChildStop } from './child-messages.ts';

/**
 * Does one task. `send` sends a part of the result, or progress. The signal is aborted when the
 * result is not needed any more.
 */
export type TaskHandler<Request, Part, Result> = (
  request: Request,
  send: (part: Part) => Promise<void>,
  signal: AbortSignal,
) => Promise<Result>;

export interface ServeOptions<Request, Part, Result> {
  /** How far behind the server, from -20 (first) to 19 (last): answering people comes first. */
  niceness: number;
  /** Whether a task may start a thread. */
  threads: boolean;
  /** Loads what the tasks need; the child takes tasks once this has resolved. */
  prepare(): Promise<TaskHandler<Request, Part, Result>>;
}

/** What the pool told this child at its start. */
export const childSettings = (): unknown => JSON.parse(process.argv[2] ?? '{}');

/** Makes this process a child of a pool: does tasks one by one until the server goes. */
export async function serveTasks<Request, Part, Result>({
  niceness,
  threads,
  prepare,
}: ServeOptions<Request, Part, Result>): Promise<void> {
  setPriority(niceness);
  // A stop of the whole group reaches the children too: the parent decides when they end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // An orderly exit would wait for file reads that may never end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // While a task keeps this thread busy no event reaches it: another thread watches the parent.
  new Worker(new URL('./parent-watch.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref();
  const handle = await prepare();
  flushCompileCache();
  if (!threads) drop('worker');

  const send = (message: ChildMessage<Part, Result>): Promise<void> =>
    new Promise((resolve) => {
      // A parent that is gone ends this process by 'disconnect'; there is nobody to tell.
      if (process.connected) process.send?.(message, undefined, {}, () => resolve());
      else resolve();
    });

  const stops = new Map<number, AbortController>();

  const answer = async ({ id, request }: ChildRequest<Request>): Promise<void> => {
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
  };

  // A task may be sent while another is done: it waits for its turn here.
  let last = Promise.resolve();
  process.on('message', (message: ChildRequest<Request> | ChildStop) => {
    if ('stop' in message) {
      stops.get(message.stop)?.abort();
      return;
    }
    stops.set(message.id, new AbortController());
    last = last.then(() => answer(message));
  });
  await send({ kind: 'ready' });
}

function describe(error: unknown): ChildFailure {
  if (!(error instanceof Error)) return { name: 'Error', code: null, message: String(error) };
  const { name, message } = error;
  return { name, message, code: 'code' in error ? String(error.code) : null };
}
