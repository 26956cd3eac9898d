import { APICallError } from 'ai';
import type { Clock } from '../../clock.ts';
import { ModelUnavailable, retryWait, toModelUnavailable } from '../model-unavailable.ts';
import type { ChatModel, ModelPart, ModelRequest, Task } from './chat-model.ts';

const BETWEEN_TOKENS_MS = 15_000;

const ANSWERING: Task = { verb: 'answer', result: 'answer' };

interface ModelTextOptions extends Omit<ModelRequest, 'task' | 'outputTokens'> {
  chat: ChatModel;
  /** Other limits than those of a whole answer: milliseconds, and tokens with reasoning. */
  limits?: { wholeMs: number; outputTokens: number; stepMs?: number };
  task?: Task;
  clock: Clock;
}

export function refusesTools(error: unknown): boolean {
  if (!(error instanceof ModelUnavailable) || !APICallError.isInstance(error.cause)) return false;
  const { statusCode = 0, responseBody = '' } = error.cause;
  return statusCode >= 400 && statusCode < 500 && /\btools?\b|\bfunctions?\b/iu.test(responseBody);
}

/**
 * The text of a model while it is generated. A provider that is overloaded or failing is asked a second
 * time if nothing has come yet. The time that the caller takes between two parts does not count.
 * @throws ModelUnavailable, or the reason of `signal`
 */
export async function* modelText(options: ModelTextOptions): AsyncGenerator<ModelPart, void> {
  const { chat, clock, signal: caller, limits, task = ANSWERING, ...asked } = options;
  const { wholeMs = chat.timeouts.wholeMs, stepMs, outputTokens } = limits ?? {};
  const { firstTokenMs } = chat.timeouts;
  const own = new AbortController();
  const signal = AbortSignal.any([caller, own.signal]);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  const stopAfter = (milliseconds: number, sentence: string): unknown =>
    clock.setTimeout(() => own.abort(new ModelUnavailable('timeout', sentence)), milliseconds);
  const whole = stopAfter(wholeMs, `The model took too long to ${task.verb}.`);
  let step = stopAfter(
    Math.min(stepMs ?? firstTokenMs, wholeMs),
    'The model took too long to begin its answer.',
  );
  let pause: unknown;
  /** Before that, one timer runs until the first token. */
  let isWriting = false;

  async function next<T>(part: Promise<T>): Promise<T> {
    if (isWriting) {
      const sentence = `The model stopped in the middle of its ${task.result}.`;
      step = stopAfter(stepMs ?? BETWEEN_TOKENS_MS, sentence);
    }
    try {
      return await Promise.race([part, aborted]);
    } finally {
      if (isWriting) clock.clearTimeout(step);
    }
  }

  try {
    for (let tries = 1; ; tries += 1) {
      let begun = false;
      try {
        signal.throwIfAborted();
        const request = { ...asked, task, outputTokens, signal };
        const parts = chat.generate(request)[Symbol.asyncIterator]();
        for (;;) {
          const { done, value: part } = await next(parts.next());
          if (done === true) return;
          if (part !== 'waiting') {
            begun = true;
            clock.clearTimeout(step);
            isWriting = part !== 'tools';
            if (!isWriting) {
              step = stopAfter(firstTokenMs, 'The model took too long to go on with its answer.');
            }
          }
          if (typeof part === 'string' || part.text !== '') yield part;
        }
      } catch (error) {
        // The reason for the end of a request matters more than its error.
        signal.throwIfAborted();
        const failure = toModelUnavailable(error);
        const wait = retryWait(failure, clock.now());
        if (begun || tries > 1 || wait === null) throw failure;
        const waited = new Promise<void>((resolve) => {
          pause = clock.setTimeout(resolve, wait);
        });
        await Promise.race([waited, aborted]);
      }
    }
  } finally {
    for (const timer of [whole, step, pause]) clock.clearTimeout(timer);
    own.abort();
  }
}

/** The whole text of a model, or its beginning once it is longer than `length`. @throws as modelText */
export async function wholeText(options: ModelTextOptions, length = Infinity): Promise<string> {
  let text = '';
  for await (const part of modelText(options)) {
    if (typeof part !== 'string') text += part.text;
    if (text.length > length) break;
  }
  return text;
}
