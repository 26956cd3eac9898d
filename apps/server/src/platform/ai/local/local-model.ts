import { existsSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import type { ChildMessage, ChildRequest, ChildStop } from '../../processes/child-messages.ts';
import { startSealed } from '../../processes/sealed-process.ts';
import { createTurns } from '../../threads/turns.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type {
  LlamaPart,
  LlamaRequest,
  LlamaResult,
  LlamaSettings,
  LoadedLlama,
} from './llama-child.ts';

export type { LoadedLlama } from './llama-child.ts';

/** What a model is asked to say. */
export type LocalRequest = Extract<LlamaRequest, { prompt: string }> & {
  /** Whose question it is: people take turns. */
  group: string;
  signal: AbortSignal;
};

/** Text; or others come first; or the answer is as long as one may be. */
export type LocalPart = LlamaPart | 'waiting' | 'cut';

/** A language model in a process of its own, which runs while questions come. */
export interface LocalModel {
  /**
   * Loads the model unless it is loaded, and reads the instructions that questions begin with.
   * @throws ModelUnavailable; the signal's reason once that is aborted
   */
  load(instructions: string, signal: AbortSignal): Promise<LoadedLlama>;
  /**
   * Answers one question after the other. The stream fails with ModelUnavailable, or with the
   * signal's reason at once when that is aborted.
   */
  say(request: LocalRequest): ReadableStream<LocalPart>;
  /** What it does on this machine, as measured when it was loaded last; null before. */
  measured(): LoadedLlama | null;
  /** Whether it is in memory, or about to be. */
  loaded(): boolean;
  close(): Promise<void>;
}

export interface LocalModelOptions {
  /** Path of a file in GGUF format. */
  path: string;
  clock: Clock;
}

/** Tokens of prompt and answer together: what small models still read well. */
const CONTEXT_TOKENS = 8192;
/** Loading reads gigabytes from a disk that may be slow, in milliseconds. */
const LOAD_MS = 300_000;
/** A process that does not end an answer in this time is ended itself, in milliseconds. */
const STOP_MS = 5000;
/** Without a question for so long its memory is given back, in milliseconds. */
const IDLE_MS = 600_000;

/** Where the library looks which C library this system has. */
const SYSTEM_LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64'];

interface Task extends PromiseWithResolvers<LlamaResult> {
  onPart: (part: LlamaPart) => void;
}

/** Starts the process, which begins to load the model at once. */
function startLlama(settings: LlamaSettings, clock: Clock) {
  const child = startSealed({
    script: new URL('llama-child.ts', import.meta.url),
    args: [JSON.stringify(settings)],
    reads: [settings.path, ...SYSTEM_LIBRARIES.filter((folder) => existsSync(folder))],
    startsProcesses: true,
    keepsErrors: false,
  });
  const kill = () => child.kill('SIGKILL');
  const tasks = new Map<number, Task>();
  let lastId = 0;
  let gone: ModelUnavailable | null = null;

  const end = (message: string): void => {
    gone ??= new ModelUnavailable('down', message);
    for (const { reject } of tasks.values()) reject(gone);
    tasks.clear();
  };
  child.on('message', (message: ChildMessage<LlamaPart, LlamaResult>) => {
    if (message.kind === 'ready') return;
    const task = tasks.get(message.id);
    if (message.kind === 'part') {
      task?.onPart(message.part);
      return;
    }
    tasks.delete(message.id);
    if (message.kind === 'done') task?.resolve(message.result);
    else {
      const words = `The model on this machine failed: ${message.failure.message}`;
      task?.reject(new ModelUnavailable('down', words));
    }
  });
  child.on('error', () => end('The process of the model cannot be started.'));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      end('The process of the model ended.');
      resolve();
    });
  });

  /** Does one task. It ends some moments after its signal is aborted, with the process if need be. */
  async function run(
    request: LlamaRequest,
    signal: AbortSignal | null,
    onPart: (part: LlamaPart) => void = () => undefined,
  ): Promise<LlamaResult> {
    if (gone) throw gone;
    const id = ++lastId;
    const task: Task = { ...Promise.withResolvers<LlamaResult>(), onPart };
    tasks.set(id, task);
    let late: unknown;
    const stop = (): void => {
      if (child.connected) child.send({ stop: id } satisfies ChildStop);
      late = clock.setTimeout(kill, STOP_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    child.send({ id, request } satisfies ChildRequest<LlamaRequest>);
    try {
      return await task.promise;
    } finally {
      signal?.removeEventListener('abort', stop);
      clock.clearTimeout(late);
    }
  }

  async function load(instructions: string): Promise<LoadedLlama> {
    const timer = clock.setTimeout(kill, LOAD_MS);
    try {
      return (await run({ load: instructions }, null)) as LoadedLlama;
    } finally {
      clock.clearTimeout(timer);
    }
  }

  return { load, run, kill, exited };
}

/** The language model in a file. Nothing is loaded until it is asked. */
export function createLocalModel({ path, clock }: LocalModelOptions): LocalModel {
  const turns = createTurns({ atOnce: 1 });
  let llama: (ReturnType<typeof startLlama> & { loading: Promise<LoadedLlama> }) | null = null;
  let measured: LoadedLlama | null = null;
  let asked = 0;
  let idle: unknown;

  const unload = async (): Promise<void> => {
    clock.clearTimeout(idle);
    const ended = llama;
    llama = null;
    ended?.kill();
    await ended?.exited;
  };

  /** The process, started where none runs. */
  function running(instructions: string) {
    if (llama !== null) return llama;
    const started = startLlama({ path, contextTokens: CONTEXT_TOKENS }, clock);
    const now = { ...started, loading: started.load(instructions) };
    now.loading.then(
      (loaded) => (measured = loaded),
      () => started.kill(),
    );
    void started.exited.then(() => {
      if (llama === now) llama = null;
    });
    llama = now;
    return now;
  }

  /** Keeps the model in memory while something is done with it. */
  async function keeping<T>(task: () => Promise<T>): Promise<T> {
    clock.clearTimeout(idle);
    asked += 1;
    try {
      return await task();
    } finally {
      asked -= 1;
      if (asked === 0) idle = clock.setTimeout(() => void unload(), IDLE_MS);
    }
  }

  async function say(
    { group, signal, ...request }: LocalRequest,
    onPart: (part: LocalPart) => void,
  ) {
    if (asked > 0) onPart('waiting');
    await keeping(() =>
      turns.run(group, signal, async () => {
        const process = running(request.instructions);
        await process.loading;
        signal.throwIfAborted();
        const result = await process.run(request, signal, onPart);
        if ('cut' in result && result.cut) onPart('cut');
      }),
    );
  }

  return {
    load: (instructions, signal) =>
      keeping(() => {
        const { loading } = running(instructions);
        const left = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
        return Promise.race([loading, left]);
      }),

    say(request) {
      const returned = new AbortController();
      const signal = AbortSignal.any([request.signal, returned.signal]);
      return new ReadableStream<LocalPart>({
        start(stream) {
          // The process may take a moment to hear of it; whoever stopped it does not wait for that.
          signal.addEventListener('abort', () => stream.error(signal.reason), { once: true });
          const onPart = (part: LocalPart) => {
            if (!signal.aborted) stream.enqueue(part);
          };
          say({ ...request, signal }, onPart).then(
            () => {
              if (!signal.aborted) stream.close();
            },
            (error: unknown) => stream.error(error),
          );
        },
        cancel: () => returned.abort(),
      });
    },

    measured: () => measured,
    loaded: () => llama !== null,
    close: unload,
  };
}
