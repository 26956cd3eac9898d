import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateSpeech } from 'ai';
import { createSpeechLimiter } from './speech-limiter.ts';
import type { Speaker, SpeakerOptions } from './speaker.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

/** A server that speaks OpenAI's speech protocol. */
export interface OpenAiSpeakerOptions extends Required<SpeakerOptions> {
  model: string;
  /** Without one the server's usual: alloy. */
  voice: string | undefined;
  apiKey: string | undefined;
  baseUrl: string | undefined;
  /** Milliseconds that a text may take, with one other try. */
  timeLimitMs?: number;
}

const OPENAI = 'https://api.openai.com/v1';
const VOICE = 'alloy';

const LIMITS = { concurrency: 4, maxQueued: 50, maxQueuedPerGroup: 5 };

/** Longest sound that is taken, in bytes: the longest text at 320 kbit/s is less. */
const SOUND_BYTES = 16 << 20;

/** An ID3 tag, or the first eleven bits of a frame of layer III. */
const isMp3 = ([a = 0, b = 0, c = 0]: Uint8Array): boolean =>
  (a === 0x49 && b === 0x44 && c === 0x33) || (a === 0xff && (b & 0xe6) === 0xe2);

/** Speech of OpenAI, or of any server that speaks its protocol. */
export function createOpenAiSpeaker(options: OpenAiSpeakerOptions): Speaker {
  const { model, voice = VOICE, apiKey, log, timeLimitMs = 60_000 } = options;
  const baseURL = (options.baseUrl ?? OPENAI).replace(/(?<!\/)\/+$/u, '');
  const { host } = new URL(baseURL);
  const limiter = createSpeechLimiter(LIMITS);
  const provider = createOpenAI({
    baseURL,
    // The SDK wants one; without a key the header is taken out again.
    apiKey: apiKey ?? 'none',
    fetch: guarded(options.fetch, apiKey !== undefined),
  });

  return {
    describe: () => ({ on: true, detail: `Answers are spoken by ${model} (${voice}) at ${host}.` }),
    voice: () => `openai:${model}/${voice}`,
    async speak(text, { group, signal }) {
      try {
        return await limiter.run(group, signal, async () => {
          const { audio } = await generateSpeech({
            model: provider.speech(model),
            text,
            voice,
            outputFormat: 'mp3',
            maxRetries: 1,
            abortSignal: AbortSignal.timeout(timeLimitMs),
          });
          if (isMp3(audio.uint8Array)) return audio.uint8Array;
          throw new SpeechUnavailable('The speech server sent something that is no mp3.');
        });
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw error;
        const failure = toSpeechUnavailable(error);
        // A provider's own message may repeat what is said in somebody's files: it is not logged.
        log.warn({ host, model, status: statusOf(error) }, failure.message);
        throw failure;
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Follows no redirect, which would take the key and somebody's text elsewhere; reads no endless answer. */
function guarded(fetch: typeof globalThis.fetch, withKey: boolean): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (!withKey) headers.delete('authorization');
    const answer = await fetch(input, { ...init, headers, redirect: 'error' });
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > SOUND_BYTES) controller.error(new Error('The sound is too long.'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(answer.body?.pipeThrough(bounded) ?? null, answer);
  };
}

/** The status of the last answer; the SDK wraps it when it has tried again. */
function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode;
  if (error instanceof Error && 'lastError' in error) return statusOf(error.lastError);
  return undefined;
}

function toSpeechUnavailable(error: unknown): SpeechUnavailable {
  if (error instanceof SpeechUnavailable) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new SpeechUnavailable('The speech server took too long.', { cause: error });
  }
  const status = statusOf(error);
  const cause = { cause: error };
  if (status === undefined || status < 400) {
    return new SpeechUnavailable('The speech server cannot be reached.', cause);
  }
  if (status === 401 || status === 403) {
    return new SpeechUnavailable('The speech server did not accept the key.', cause);
  }
  if (status === 404) {
    return new SpeechUnavailable('The speech server does not know this model.', cause);
  }
  if (status === 429) {
    return new SpeechUnavailable('The speech server has too many requests right now.', cause);
  }
  if (status >= 500) return new SpeechUnavailable('The speech server is failing right now.', cause);
  return new SpeechUnavailable('The speech server did not accept this answer.', cause);
}
