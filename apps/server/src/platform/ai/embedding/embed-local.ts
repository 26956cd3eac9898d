import type { Clock } from '../../clock.ts';
import type { ChildFailure, ChildMessage, ChildRequest } from '../../processes/child-messages.ts';
import { startSealed } from '../../processes/sealed-process.ts';
import { ModelUnavailable } from '../model-unavailable.ts';
import type { EmbedRequest, EmbedResult, LoadedModel } from './embed-child.ts';
import type { EmbeddingDriver, EmbeddingKind } from './embed-driver.ts';

/** Loading reads up to some hundred megabytes from a disk that may be slow, in milliseconds. */
const LOAD_MS = 120_000;
/** Of one text; the process that does not answer is ended. */
const TEXT_MS = 60_000;

const taskOf = (request: EmbedRequest) => ({
  request,
  ...Promise.withResolvers<EmbedResult>(),
});

type Task = ReturnType<typeof taskOf>;

function failureOf({ name, message }: ChildFailure, loading: boolean): ModelUnavailable {
  const words = `${name}: ${message}`;
  if (!loading) return new ModelUnavailable('refused', `The model failed: ${words}`);
  const expected = name === 'ModelFolderError';
  return new ModelUnavailable('down', expected ? message : `The model cannot be loaded: ${words}`);
}

/**
 * Runs the model of a folder in a process of its own: it takes a processor for itself while it
 * works, and what goes wrong in its native code ends that process alone.
 * @throws ModelUnavailable where the folder holds no model that can be loaded, or the signal is
 * aborted before it is
 */
export async function openLocalModel(
  folder: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<EmbeddingDriver> {
  const script = new URL('embed-child.ts', import.meta.url);
  const args = [JSON.stringify(folder)];
  const child = startSealed({ script, args, reads: [folder], keepsErrors: false });
  const stop = () => child.kill('SIGKILL');
  const waiting: Record<EmbeddingKind, Task[]> = { query: [], passage: [] };
  const loading = taskOf(null);
  let running: Task | undefined = loading;
  let gone: ModelUnavailable | null = null;
  let timer = clock.setTimeout(
    () => loading.reject(new ModelUnavailable('down', 'The model took too long to load.')),
    LOAD_MS,
  );

  const send = (request: EmbedRequest) =>
    child.send({ id: 0, request } satisfies ChildRequest<EmbedRequest>);

  /** Begins with questions: somebody waits for them. Texts go one by one, so that none waits long. */
  const next = (): void => {
    running = waiting.query.shift() ?? waiting.passage.shift();
    if (running === undefined) return;
    // Goes on when its caller does not: a process that hangs has to be ended.
    timer = clock.setTimeout(stop, TEXT_MS);
    send(running.request);
  };

  const end = (how: string): void => {
    const words = running === loading ? 'ended while it loaded' : how;
    const message = `The process that runs the model ${words}.`;
    gone ??= new ModelUnavailable('down', message, { retryable: true });
    clock.clearTimeout(timer);
    for (const task of [running, ...waiting.query, ...waiting.passage]) task?.reject(gone);
  };

  child.on('message', (reply: ChildMessage<never, EmbedResult>) => {
    if (reply.kind === 'ready') return void send(null);
    clock.clearTimeout(timer);
    if (reply.kind === 'done') running?.resolve(reply.result);
    if (reply.kind === 'failed') running?.reject(failureOf(reply.failure, running === loading));
    next();
  });
  child.on('error', () => end('cannot be reached'));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      end('ended');
      resolve();
    });
  });

  signal.addEventListener('abort', stop);
  const { digest, dimensions } = (await loading.promise
    .finally(() => signal.removeEventListener('abort', stop))
    .catch((error: unknown) => {
      stop();
      throw error;
    })) as LoadedModel;

  const embedOne = async (
    text: string,
    kind: EmbeddingKind,
    caller: AbortSignal,
  ): Promise<Float32Array> => {
    if (gone) throw gone;
    caller.throwIfAborted();
    const task = taskOf({ text, kind });
    const leave = () => {
      waiting[kind] = waiting[kind].filter((other) => other !== task);
      task.reject(caller.reason);
    };
    caller.addEventListener('abort', leave, { once: true });
    waiting[kind].push(task);
    if (running === undefined) next();
    const vector = await task.promise.finally(() => caller.removeEventListener('abort', leave));
    return vector as Float32Array;
  };

  return {
    identity: digest,
    dimensions,
    limits: { texts: 4, characters: 6000 },
    get usable() {
      return gone === null;
    },
    embed: (texts, kind, caller) => Promise.all(texts.map((text) => embedOne(text, kind, caller))),
    async close() {
      stop();
      await exited;
    },
  };
}
