import type { Clock } from '../../clock.ts';
import { createFairLimiter } from '../../threads/fair-limiter.ts';
import { ChildCrash, ChildTaskError, startTaskProcess } from '../../processes/task-process.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type {
  LoadedModel,
  ModelChildSettings,
  ModelRequest,
  ModelResult,
} from './encoder-child.ts';
import type { EncoderDriver, ModelInput } from './encoder-driver.ts';

/** In milliseconds, because loading may read hundreds of megabytes from a slow disk. */
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

/** Two groups that are served fairly, so that a question does not wait for many passages. */
const groupOf = (input: ModelInput): string => ('kind' in input ? input.kind : 'query');

/**
 * Runs the model of a folder in a separate process, so that it neither blocks nor crashes the server.
 * @throws ModelUnavailable if the model cannot be loaded, or the signal is aborted during loading
 */
export async function openLocalEncoder(
  settings: ModelChildSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<EncoderDriver> {
  const script = new URL('encoder-child.ts', import.meta.url);
  const child = startTaskProcess<ModelRequest, never, ModelResult>(
    { script, args: [JSON.stringify(settings)], reads: [settings.folder] },
    clock,
  );
  // A question waits for at most one passage.
  const limiter = createFairLimiter({ concurrency: 1 });
  let isUsable = true;
  void child.exited.then(() => (isUsable = false));

  const stop = (): void => child.kill();
  signal.addEventListener('abort', stop);
  const { digest, dimensions } = (await child
    .run(null, { timeoutMs: LOAD_MS })
    .finally(() => signal.removeEventListener('abort', stop))
    .catch((error: unknown) => {
      child.kill();
      throw failureOf(error, true);
    })) as LoadedModel;

  const runOne = (input: ModelInput, caller: AbortSignal): Promise<Float32Array> =>
    limiter.run(groupOf(input), caller, async () => {
      const output = child.run(input, { timeoutMs: TEXT_MS });
      return output.catch((error: unknown) => {
        throw failureOf(error, false);
      }) as Promise<Float32Array>;
    });

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
