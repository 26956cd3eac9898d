import { APICallError } from 'ai';
import type { Clock } from '../../clock.ts';
import { ModelUnavailable, retryWait, toModelUnavailable } from '../model-unavailable.ts';
import { orAborted, pause } from '../time-budget.ts';
import type { ChatModel, ModelPart, ModelRequest, Task } from './chat-model.ts';

const BETWEEN_TOKENS_MS = 15_000;

const ANSWERING: Task = { verb: 'answer', result: 'answer' };

interface ModelTextOptions extends Omit<ModelRequest, 'task' | 'outputTokens'> {
  chat: ChatModel;
  /** Limits that replace those of an answer: milliseconds, and tokens with reasoning. */
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
 * Streams the text of a model. A failed request is retried once if nothing has arrived and the failure is
 * temporary. The time that the caller takes between two parts does not count.
 * @throws ModelUnavailable, or the reason of `signal`
 */
export async function* modelText(options: ModelTextOptions): AsyncGenerator<ModelPart, void> {
  const { chat, clock, signal: caller, limits, task = ANSWERING, ...input } = options;
  const { wholeMs = chat.timeouts.wholeMs, stepMs, outputTokens } = limits ?? {};
  const { firstTokenMs } = chat.timeouts;
  const timeout = new AbortController();
  const signal = AbortSignal.any([caller, timeout.signal]);
  const stopAfter = (milliseconds: number, sentence: string): unknown =>
    clock.setTimeout(() => timeout.abort(new ModelUnavailable('timeout', sentence)), milliseconds);
  const wholeTimer = stopAfter(wholeMs, `The model took too long to ${task.verb}.`);
  let step = stopAfter(
    Math.min(stepMs ?? firstTokenMs, wholeMs),
    'The model took too long to begin its answer.',
  );
  /** Each part after the first token has its own timer. */
  let isWriting = false;

  async function next<T>(part: Promise<T>): Promise<T> {
    if (isWriting) {
      const sentence = `The model stopped in the middle of its ${task.result}.`;
      step = stopAfter(stepMs ?? BETWEEN_TOKENS_MS, sentence);
    }
    try {
      return await orAborted(part, signal);
    } finally {
      if (isWriting) clock.clearTimeout(step);
    }
  }

  try {
    for (let tries = 1; ; tries += 1) {
      let hasStarted = false;
      try {
        signal.throwIfAborted();
        const request = { ...input, task, outputTokens, signal };
        const parts = chat.generate(request)[Symbol.asyncIterator]();
        for (;;) {
          const { done, value: part } = await next(parts.next());
          if (done === true) return;
          if (part !== 'waiting') {
            hasStarted = true;
            clock.clearTimeout(step);
            isWriting = part !== 'tools';
            if (!isWriting) {
              step = stopAfter(firstTokenMs, 'The model took too long to continue its answer.');
            }
          }
          if (typeof part === 'string' || part.text !== '') yield part;
        }
      } catch (error) {
        // The signal's reason matters more than the error of the request.
        signal.throwIfAborted();
        const failure = toModelUnavailable(error);
        const wait = retryWait(failure, clock.now());
        if (hasStarted || tries > 1 || wait === null) throw failure;
        await pause(clock, wait, signal);
      }
    }
  } finally {
    for (const timer of [wholeTimer, step]) clock.clearTimeout(timer);
    timeout.abort();
  }
}

/** The whole text of a model, or slightly more than its first `length` units. @throws as modelText */
export async function wholeText(options: ModelTextOptions, length = Infinity): Promise<string> {
  let text = '';
  for await (const part of modelText(options)) {
    if (typeof part !== 'string') text += part.text;
    if (text.length > length) break;
  }
  return text;
}
