import { APICallError, isStepCount, type ModelMessage, streamText } from 'ai';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { ModelUnavailable, retryWait, toModelUnavailable } from '../model-unavailable.ts';
import type { Prompt } from './prompt.ts';
import type { ChatModel } from './provider.ts';
import type { ToolSet } from './tool-set.ts';

/** Bounds on waiting for a model, in milliseconds. */
const FIRST_TOKEN_MS = 20_000;
const BETWEEN_TOKENS_MS = 15_000;
const WHOLE_ANSWER_MS = 90_000;

/** Requests for one answer at most: in all but the last the model may look something up. */
const MOST_STEPS = 6;

/**
 * What a model says; or it has asked for something, and goes on with what that brought; or its answer is
 * cut off, because it is as long as one may be.
 */
export type ModelPart = { text: string } | 'looks' | 'cut';

/** What a model is to do, as a person hears of it where it does not: the verb, and what comes of it. */
interface Task {
  verb: string;
  result: string;
}

const ANSWERING: Task = { verb: 'answer', result: 'answer' };

export interface ModelTextOptions {
  chat: ChatModel;
  prompt: Pick<Prompt, 'instructions'> & { prompt: string | ModelMessage[] };
  /** What it may look up on the way. */
  tools?: ToolSet | undefined;
  /** Other bounds than those of a whole answer: milliseconds, and tokens with those of thinking. */
  limits?: { wholeMs: number; outputTokens: number; stepMs?: number };
  /** Default: it answers. */
  task?: Task;
  clock: Clock;
  signal: AbortSignal;
}

/** Ends a request when the caller goes away or a time is up, whichever comes first. */
function createDeadline({ clock, signal: caller, limits, task = ANSWERING }: ModelTextOptions) {
  const { wholeMs = WHOLE_ANSWER_MS, stepMs } = limits ?? {};
  const controller = new AbortController();
  const stopped = Promise.withResolvers<never>();
  // Nobody may be waiting at the moment of the end.
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
    Math.min(stepMs ?? FIRST_TOKEN_MS, wholeMs),
    'The model took too long to begin its answer.',
  );
  let first = true;
  let pause: unknown;
  return {
    signal: controller.signal,
    /** Waits for the next part; the time that a reader takes between two parts does not count. */
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
    /** The model has begun. */
    began(): void {
      first = false;
      clock.clearTimeout(step);
    },
    /** The model is asked again, with what was looked up. */
    again(): void {
      clock.clearTimeout(step);
      first = true;
      step = late(FIRST_TOKEN_MS, 'The model took too long to go on with its answer.');
    },
    wait(milliseconds: number): Promise<void> {
      const waited = new Promise<void>((resolve) => {
        pause = clock.setTimeout(resolve, milliseconds);
      });
      return Promise.race([waited, stopped.promise]);
    },
    /** Nothing more is wanted: the request ends and no timer stays behind. */
    close(): void {
      for (const timer of [whole, step, pause]) clock.clearTimeout(timer);
      caller.removeEventListener('abort', onCaller);
      controller.abort();
    },
  };
}

type Deadline = ReturnType<typeof createDeadline>;

const blocked = z.looseObject({ promptFeedback: z.looseObject({ blockReason: z.string() }) });

/** Google says of a prompt it will not answer only this, and ends without a candidate. */
const isBlocked = (metadata: unknown): boolean => blocked.safeParse(metadata).success;

/** Whether a model's server will have nothing of tools: many that run on one's own machine. */
export function refusesTools(error: unknown): boolean {
  if (!(error instanceof ModelUnavailable) || !APICallError.isInstance(error.cause)) return false;
  const { statusCode = 0, responseBody = '' } = error.cause;
  return statusCode >= 400 && statusCode < 500 && /\btools?\b|\bfunctions?\b/iu.test(responseBody);
}

/** One try; yields '' as text for signs of life such as thinking. */
async function* oneTry(
  { chat, prompt, limits, tools, task = ANSWERING }: ModelTextOptions,
  deadline: Deadline,
): AsyncGenerator<ModelPart, void> {
  const { stream } = streamText({
    model: chat.model,
    instructions: prompt.instructions,
    prompt: prompt.prompt,
    ...(tools === undefined ? {} : { tools: tools.set }),
    stopWhen: isStepCount(MOST_STEPS),
    prepareStep: ({ stepNumber }) =>
      stepNumber > 0 && (stepNumber === MOST_STEPS - 1 || tools?.spent())
        ? { toolChoice: 'none' }
        : {},
    maxOutputTokens: limits?.outputTokens ?? chat.outputLimit,
    ...(chat.temperature === undefined ? {} : { temperature: chat.temperature }),
    maxRetries: 0,
    abortSignal: deadline.signal,
    // Errors come as parts of the stream; without this they are printed as well.
    onError: () => undefined,
  });
  const parts = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value: part } = await deadline.next(parts.next());
    if (done === true) break;
    if (part.type === 'text-delta') yield { text: part.text };
    else if (part.type === 'reasoning-delta' || part.type === 'tool-input-delta')
      yield { text: '' };
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish-step') {
      if (isBlocked(part.providerMetadata?.['google'])) {
        throw new ModelUnavailable('refused', 'The model’s provider refused the request.');
      }
      if (part.finishReason === 'tool-calls') yield 'looks';
    } else if (part.type === 'finish') {
      if (part.finishReason === 'content-filter') {
        throw new ModelUnavailable('refused', `The model refused to ${task.verb}.`);
      }
      if (part.finishReason === 'interrupted') break;
      if (part.finishReason === 'length') yield 'cut';
      return;
    }
  }
  throw new ModelUnavailable(
    'malformed',
    `The model broke off in the middle of its ${task.result}.`,
  );
}

/**
 * The text of a model as it is written, between what it looks up. A provider that is overloaded or
 * failing is asked once more, as long as nothing has come.
 * @throws ModelUnavailable, or the reason of `signal` when the caller gave up
 */
export async function* modelText(options: ModelTextOptions): AsyncGenerator<ModelPart, void> {
  const { clock } = options;
  const deadline = createDeadline(options);
  try {
    for (let tries = 1; ; tries += 1) {
      let begun = false;
      try {
        for await (const part of oneTry(options, deadline)) {
          begun = true;
          if (part === 'looks') deadline.again();
          else deadline.began();
          if (typeof part === 'string' || part.text !== '') yield part;
        }
        return;
      } catch (error) {
        // What an ended request says of itself matters less than why it was ended.
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
