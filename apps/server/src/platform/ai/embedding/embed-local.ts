import type { Clock } from '../../clock.ts';
import { ChildCrash, ChildTaskError } from '../../processes/child-pool.ts';
import { startTaskProcess } from '../../processes/task-process.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type { EmbedRequest, EmbedResult, LoadedModel } from './embed-child.ts';
import type { EmbeddingDriver, EmbeddingKind } from './embed-driver.ts';

/** Loading reads up to some hundred megabytes from a disk that may be slow, in milliseconds. */
const LOAD_MS = 120_000;
/** Of one text, in milliseconds. */
const TEXT_MS = 60_000;

const taskOf = (request: EmbedRequest) => ({
  request,
  ...Promise.withResolvers<EmbedResult>(),
});

type Task = ReturnType<typeof taskOf>;

function failureOf(error: unknown, loading: boolean): ModelUnavailable {
  if (error instanceof ChildTaskError) {
    const { name, message } = error.failure;
    const words = `${name}: ${message}`;
    if (!loading) return new ModelUnavailable('refused', `The model failed: ${words}`);
    const expected = name === 'ModelFolderError';
    return new ModelUnavailable(
      'down',
      expected ? message : `The model cannot be loaded: ${words}`,
    );
  }
  if (loading && error instanceof ChildCrash && error.code === 'timeout') {
    return new ModelUnavailable('down', 'The model took too long to load.');
  }
  const message = `The process that runs the model ended${loading ? ' while it loaded' : ''}.`;
  return new ModelUnavailable('down', message, { retryable: true });
}

/**
 * Runs the model of a folder in a separate process, so that it does not block the server and a crash
 * in its native code ends that process alone.
 * @throws ModelUnavailable if the folder has no model that can be loaded, or the signal is aborted
 * before it is loaded
 */
export async function openLocalModel(
  folder: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<EmbeddingDriver> {
  const script = new URL('embed-child.ts', import.meta.url);
  const child = startTaskProcess<EmbedRequest, never, EmbedResult>(
    { script, args: [JSON.stringify(folder)], reads: [folder] },
    clock,
  );
  const waiting: Record<EmbeddingKind, Task[]> = { query: [], passage: [] };
  let isBusy = false;
  let isUsable = true;
  void child.exited.then(() => (isUsable = false));

  /** Questions come first because a user waits for them. Texts go one by one to keep that wait short. */
  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (;;) {
      const task = waiting.query.shift() ?? waiting.passage.shift();
      if (task === undefined) break;
      await child
        .run(task.request, { timeoutMs: TEXT_MS })
        .then(task.resolve, (error: unknown) => task.reject(failureOf(error, false)));
    }
    isBusy = false;
  }

  signal.addEventListener('abort', child.kill);
  const { digest, dimensions } = (await child
    .run(null, { timeoutMs: LOAD_MS })
    .finally(() => signal.removeEventListener('abort', child.kill))
    .catch((error: unknown) => {
      child.kill();
      throw failureOf(error, true);
    })) as LoadedModel;

  const embedOne = async (
    text: string,
    kind: EmbeddingKind,
    caller: AbortSignal,
  ): Promise<Float32Array> => {
    caller.throwIfAborted();
    const task = taskOf({ text, kind });
    const leave = () => {
      waiting[kind] = waiting[kind].filter((other) => other !== task);
      task.reject(caller.reason);
    };
    caller.addEventListener('abort', leave, { once: true });
    waiting[kind].push(task);
    void work();
    const vector = await task.promise.finally(() => caller.removeEventListener('abort', leave));
    return vector as Float32Array;
  };

  return {
    identity: digest,
    dimensions,
    limits: { texts: 4, characters: 6000 },
    get usable() {
      return isUsable;
    },
    embed: (texts, kind, caller) => Promise.all(texts.map((text) => embedOne(text, kind, caller))),
    async close() {
      child.kill();
      await child.exited;
    },
  };
}
