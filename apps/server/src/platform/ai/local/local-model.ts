import { existsSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import { ChildTaskError, startTaskProcess } from '../../processes/task-process.ts';
import { createFairLimiter } from '../../threads/fair-limiter.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import { orAborted } from '../time-budget.ts';
import type { LlamaPart, LlamaRequest, LlamaResult, LoadedLlama } from './llama-child.ts';

type LocalRequest = Extract<LlamaRequest, { prompt: string }> & {
  group: string;
  signal: AbortSignal;
};

/** Generated text, or a state: another request runs first, or the output was cut off. */
type LocalPart = LlamaPart | 'waiting' | 'cut';

/** In milliseconds, because loading reads gigabytes from a disk that may be slow. */
const LOAD_MS = 120_000;
/** The process exits after this time without a request, in milliseconds. */
const IDLE_MS = 600_000;

/** The library looks here for the C library of this system. */
const SYSTEM_LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];

function failureOf(error: unknown): ModelUnavailable {
  const message =
    error instanceof ChildTaskError
      ? `The model on this machine failed: ${error.failure.message}`
      : 'The model process exited.';
  return new ModelUnavailable('down', message);
}

function startLlama(path: string, clock: Clock) {
  return startTaskProcess<LlamaRequest, LlamaPart, LlamaResult>(
    {
      script: new URL('llama-child.ts', import.meta.url),
      args: [JSON.stringify(path)],
      reads: [path, ...SYSTEM_LIBRARIES.filter((folder) => existsSync(folder))],
      startsProcesses: true,
    },
    clock,
  );
}

export function createLocalModel(path: string, clock: Clock) {
  const limiter = createFairLimiter({ concurrency: 1 });
  let llama: (ReturnType<typeof startLlama> & { loading: Promise<LoadedLlama> }) | null = null;
  let measured: LoadedLlama | null = null;
  let requests = 0;
  let idle: unknown;

  const unload = async (): Promise<void> => {
    clock.clearTimeout(idle);
    const ended = llama;
    llama = null;
    ended?.kill();
    await ended?.exited;
  };

  function ensureStarted(instructions: string) {
    if (llama !== null) return llama;
    const started = startLlama(path, clock);
    const loading = started.run({ load: instructions }, { timeoutMs: LOAD_MS });
    const current = { ...started, loading: loading as Promise<LoadedLlama> };
    current.loading.then(
      (loaded) => (measured = loaded),
      () => started.kill(),
    );
    void started.exited.then(() => {
      if (llama === current) llama = null;
    });
    llama = current;
    return current;
  }

  async function whileLoaded<T>(task: () => Promise<T>): Promise<T> {
    clock.clearTimeout(idle);
    requests += 1;
    try {
      return await task();
    } finally {
      requests -= 1;
      if (requests === 0) idle = clock.setTimeout(() => void unload(), IDLE_MS);
    }
  }

  async function generate(
    { group, signal, ...request }: LocalRequest,
    onPart: (part: LocalPart) => void,
  ): Promise<void> {
    if (requests > 0) onPart('waiting');
    await whileLoaded(() =>
      limiter.run(group, signal, async () => {
        const child = ensureStarted(request.instructions);
        await child.loading;
        signal.throwIfAborted();
        const result = await child.run(request, { signal, onPart });
        if ('cut' in result && result.cut) onPart('cut');
      }),
    );
  }

  return {
    /** Loads the model if necessary. @throws ModelUnavailable, or the signal's reason */
    load: (instructions: string, signal: AbortSignal): Promise<LoadedLlama> =>
      whileLoaded(async () => {
        signal.throwIfAborted();
        const loading = ensureStarted(instructions).loading.catch((error: unknown) => {
          throw failureOf(error);
        });
        return orAborted(loading, signal);
      }),

    /** Handles one request at a time. The stream fails with ModelUnavailable. */
    generate: (request: LocalRequest): ReadableStream<LocalPart> =>
      new ReadableStream<LocalPart>({
        start(stream) {
          const onPart = (part: LocalPart): void => {
            if (!request.signal.aborted) stream.enqueue(part);
          };
          generate(request, onPart).then(
            () => stream.close(),
            (error: unknown) => stream.error(failureOf(error)),
          );
        },
      }),

    measurement: (): LoadedLlama | null => measured,
    isLoaded: (): boolean => llama !== null,
    close: unload,
  };
}

export type LocalModel = ReturnType<typeof createLocalModel>;
