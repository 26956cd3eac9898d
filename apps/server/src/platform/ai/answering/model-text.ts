import { APICallError } from 'ai';
import type { Clock } from '../../clock.ts';
import { ModelUnavailable, retryWait, toModelUnavailable } from '../model-unavailable.ts';
import type { ChatModel, ModelPart, ModelRequest, Task } from './chat-model.ts';

/** Maximum time between two tokens, in milliseconds. */
const BETWEEN_TOKENS_MS = 15_000;

const ANSWERING: Task = { verb: 'answer', result: 'answer' };

interface ModelTextOptions extends Omit<ModelRequest, 'task' | 'outputTokens'> {
  chat: ChatModel;
  /** Other limits than those of a whole answer: milliseconds, and tokens with reasoning. */
  limits?: { wholeMs: number; outputTokens: number; stepMs?: number };
  task?: Task;
  clock: Clock;
}

/** Ends a request when the caller leaves or a timeout is reached. */
function createDeadline(options: ModelTextOptions) {
  const { chat, clock, signal: caller, limits, task = ANSWERING } = options;
  const { firstTokenMs } = chat.timeouts;
  const { wholeMs = chat.timeouts.wholeMs, stepMs } = limits ?? {};
  const controller = new AbortController();
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const stop = (reason: unknown): void => {
    controller.abort(reason);
    stopped.reject(reason);
  };
  const onCaller = (): void => stop(caller.reason);
  if (caller.aborted) onCaller();
  caller.addEventListener('abort', onCaller, { once: true });
  const late = (milliseconds: number, sentence: string): unknown =>
    clock.setTimeout(() => stop(new ModelUnavailable('timeout', sentence)), milliseconds);
  const whole = late(wholeMs, `The model took too long to ${task.verb}.`);
  let step = late(
    Math.min(stepMs ?? firstTokenMs, wholeMs),
    'The model took too long to begin its answer.',
  );
  let first = true;
  let pause: unknown;
  return {
    signal: controller.signal,
    /** Waits for the next part. The time that the caller takes between two parts does not count. */
    async next<T>(part: Promise<T>): Promise<T> {
      if (!first)
        step = late(
          stepMs ?? BETWEEN_TOKENS_MS,
          `The model stopped in the middle of its ${task.result}.`,
        );
      try {
        return await Promise.race([part, stopped.promise]);
      } finally {
        if (!first) clock.clearTimeout(step);
      }
    },
    began(): void {
      first = false;
      clock.clearTimeout(step);
    },
    again(): void {
      clock.clearTimeout(step);
      first = true;
      step = late(firstTokenMs, 'The model took too long to go on with its answer.');
    },
    wait(milliseconds: number): Promise<void> {
      const waited = new Promise<void>((resolve) => {
        pause = clock.setTimeout(resolve, milliseconds);
      });
      return Promise.race([waited, stopped.promise]);
    },
    close(): void {
      for (const timer of [whole, step, pause]) clock.clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
      controller.abort();
    },
  };
}

export function refusesTools(error: unknown): boolean {
  if (!(error instanceof ModelUnavailable) || !APICallError.isInstance(error.cause)) return false;
  const { statusCode = 0, responseBody = '' } = error.cause;
  return statusCode >= 400 && statusCode < 500 && /\btools?\b|\bfunctions?\b/iu.test(responseBody);
}

/**
 * The text of a model while it is generated. A provider that is overloaded or failing is asked a second
 * time if nothing has come yet.
 * @throws ModelUnavailable, or the reason of `signal`
 */
export async function* modelText(options: ModelTextOptions): AsyncGenerator<ModelPart, void> {
  const { clock } = options;
  const deadline = createDeadline(options);
  try {
    for (let tries = 1; ; tries += 1) {
      let begun = false;
      try {
        const { task = ANSWERING, limits, signal: _, ...request } = options;
        const outputTokens = limits?.outputTokens;
        const asked = { ...request, task, outputTokens, signal: deadline.signal };
        const parts = options.chat.generate(asked)[Symbol.asyncIterator]();
        for (;;) {
          const { done, value: part } = await deadline.next(parts.next());
          if (done === true) return;
          if (part === 'waiting') {
            yield part;
            continue;
          }
          begun = true;
          if (part === 'tools') deadline.again();
          else deadline.began();
          if (typeof part === 'string' || part.text !== '') yield part;
        }
      } catch (error) {
        // The reason for the end of a request matters more than its error.
        deadline.signal.throwIfAborted();
        const failure = toModelUnavailable(error);
        const wait = retryWait(failure, clock.now());
        if (begun || tries > 1 || wait === null) throw failure;
        await deadline.wait(wait);
      }
    }
  } finally {
    deadline.close();
  }
}
