import type { Clock } from '../../clock.ts';
import { ChildCrash, ChildTaskError, startTaskProcess } from '../../processes/task-process.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type {
  LoadedModel,
  ModelChildSettings,
  ModelRequest,
  ModelResult,
} from './encoder-child.ts';
import type { EncoderDriver, ModelInput } from './encoder-driver.ts';

/** Loading reads up to some hundred megabytes from a disk that may be slow, in milliseconds. */
const LOAD_MS = 120_000;
const TEXT_MS = 60_000;
const LIMITS = { inputs: 4, characters: 6000 };

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

/** A user waits for the answer to a question, so passages that are embedded come after it. */
const isUrgent = (input: ModelInput): boolean => !('kind' in input) || input.kind === 'query';

/**
 * Runs the model of a folder in a separate process, so that it does not block the server and a crash
 * in its native code ends that process alone.
 * @throws ModelUnavailable if the folder has no model that can be loaded, or the signal is aborted
 * before it is loaded
 */
export async function openLocalEncoder(
  settings: ModelChildSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<EncoderDriver> {
  type Task = PromiseWithResolvers<ModelResult> & { input: ModelInput };
  const script = new URL('encoder-child.ts', import.meta.url);
  const child = startTaskProcess<ModelRequest, never, ModelResult>(
    { script, args: [JSON.stringify(settings)], reads: [settings.folder] },
    clock,
  );
  let waiting: Task[] = [];
  let isBusy = false;
  let isUsable = true;
  void child.exited.then(() => (isUsable = false));

  const remove = (task: Task): void => {
    waiting = waiting.filter((other) => other !== task);
  };

  /** Inputs are sent one by one, so that a question waits for one passage at most. */
  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (;;) {
      const task = waiting.find(({ input }) => isUrgent(input)) ?? waiting[0];
      if (task === undefined) break;
      remove(task);
      await child
        .run(task.input, { timeoutMs: TEXT_MS })
        .then(task.resolve, (error: unknown) => task.reject(failureOf(error, false)));
    }
    isBusy = false;
  }

  const stop = (): void => child.kill();
  signal.addEventListener('abort', stop);
  const { digest, dimensions } = (await child
    .run(null, { timeoutMs: LOAD_MS })
    .finally(() => signal.removeEventListener('abort', stop))
    .catch((error: unknown) => {
      child.kill();
      throw failureOf(error, true);
    })) as LoadedModel;

  async function runOne(input: ModelInput, caller: AbortSignal): Promise<Float32Array> {
    caller.throwIfAborted();
    const task: Task = { input, ...Promise.withResolvers<ModelResult>() };
    const cancel = (): void => {
      remove(task);
      task.reject(caller.reason);
    };
    caller.addEventListener('abort', cancel, { once: true });
    waiting.push(task);
    void work();
    const output = await task.promise.finally(() => caller.removeEventListener('abort', cancel));
    return output as Float32Array;
  }

  return {
    identity: digest,
    dimensions,
    limits: LIMITS,
    get usable() {
      return isUsable;
    },
    run: (inputs, caller) => Promise.all(inputs.map((input) => runOne(input, caller))),
    async close() {
      child.kill();
      await child.exited;
    },
  };
}
