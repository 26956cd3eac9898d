import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../../clock.ts';
import type { EmbeddingDriver } from './embed-driver.ts';
import type { EmbedDrop, EmbedReply, EmbedTask } from './embed-messages.ts';
import { startSealed } from '../../processes/sealed-process.ts';
import { ModelUnavailable } from '../model-unavailable.ts';

/** Loading reads up to some hundred megabytes from a disk that may be slow, in milliseconds. */
const LOAD_MS = 120_000;
/** Of one text; the process that does not answer is ended. */
const TEXT_MS = 60_000;

interface Waiting {
  resolve: (vector: Float32Array) => void;
  reject: (error: Error) => void;
  timer: unknown;
}

const loaded = (
  child: ChildProcess,
  clock: Clock,
): Promise<Extract<EmbedReply, { type: 'ready' }>> =>
  new Promise((resolve, reject) => {
    const fail = (message: string) => {
      clock.clearTimeout(timer);
      reject(new ModelUnavailable('down', message));
    };
    const timer = clock.setTimeout(() => fail('The model took too long to load.'), LOAD_MS);
    const died = () => fail('The process that runs the model ended while it loaded.');
    child.once('exit', died).once('error', died);
    child.once('message', (reply: EmbedReply) => {
      clock.clearTimeout(timer);
      child.off('exit', died).off('error', died);
      if (reply.type === 'ready') resolve(reply);
      else fail(reply.type === 'failed' ? reply.message : 'The model did not load.');
    });
  });

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
  const child = startSealed({ script, args: [folder], reads: [folder], keepsErrors: false });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  const waiting = new Map<number, Waiting>();
  let gone: ModelUnavailable | null = null;
  let ready;
  try {
    ready = await loaded(child, clock);
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    if (found) clock.clearTimeout(found.timer);
    waiting.delete(id);
    return found;
  }

  function end(message: string): void {
    gone ??= new ModelUnavailable('down', message, { retryable: true });
    for (const id of waiting.keys()) take(id)?.reject(gone);
  }

  child.on('message', (reply: EmbedReply) => {
    if (reply.type === 'done') take(reply.id)?.resolve(reply.vector);
    if (reply.type === 'error') {
      take(reply.id)?.reject(new ModelUnavailable('refused', `The model failed: ${reply.message}`));
    }
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      end('The process that runs the model ended.');
      resolve();
    });
  });
  child.on('error', () => end('The process that runs the model cannot be reached.'));

  let next = 0;
  const send = (message: EmbedTask | EmbedDrop): void => void child.send(message);
  const embedOne = (
    task: Pick<EmbedTask, 'text' | 'kind'>,
    caller: AbortSignal,
  ): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      if (caller.aborted) return reject(caller.reason as Error);
      const id = (next += 1);
      // Goes on when its caller does not: a process that hangs has to be ended.
      const timer = clock.setTimeout(stop, TEXT_MS);
      const leave = () => {
        reject(caller.reason as Error);
        if (gone === null && waiting.has(id)) send({ type: 'drop', id });
      };
      caller.addEventListener('abort', leave, { once: true });
      const done = () => caller.removeEventListener('abort', leave);
      waiting.set(id, {
        resolve: (vector) => (done(), resolve(vector)),
        reject: (error) => (done(), reject(error)),
        timer,
      });
      send({ type: 'embed', ...task, id });
    });

  return {
    identity: ready.digest,
    dimensions: ready.dimensions,
    limits: { texts: 4, characters: 6000 },
    get usable() {
      return gone === null;
    },
    embed: (texts, kind, caller) =>
      Promise.all(texts.map((text) => embedOne({ text, kind }, caller))),
    async close() {
      if (gone === null) stop();
      await exited;
    },
  };
}
