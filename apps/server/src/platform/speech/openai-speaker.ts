import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateSpeech } from 'ai';
import { withoutTrailingSlash } from '../ai/openai-server.ts';
import {
  createSpeechLimiter,
  type Speaker,
  type SpeakerOptions,
  SpeechUnavailable,
} from './speaker.ts';

interface OpenAiSpeakerOptions extends Required<SpeakerOptions> {
  model: string;
  voice: string | undefined;
  apiKey: string | undefined;
  baseUrl: string;
  /** The time limit of a text, with one retry. */
  timeLimitMs?: number;
}

const VOICE = 'alloy';

const LIMITS = { concurrency: 4, maxQueued: 50, maxQueuedPerGroup: 5 };

/** More than the longest text at 320 kbit/s. */
const SOUND_BYTES = 16 << 20;

/** An ID3 tag, or the first eleven bits of a frame of layer III. */
const isMp3 = ([a = 0, b = 0, c = 0]: Uint8Array): boolean =>
  (a === 0x49 && b === 0x44 && c === 0x33) || (a === 0xff && (b & 0xe6) === 0xe2);

export function createOpenAiSpeaker(options: OpenAiSpeakerOptions): Speaker {
  const { model, voice = VOICE, apiKey, log, timeLimitMs = 60_000 } = options;
  const baseURL = withoutTrailingSlash(options.baseUrl);
  const { host } = new URL(baseURL);
  const limiter = createSpeechLimiter(LIMITS);
  const provider = createOpenAI({
    baseURL,
    // The SDK requires a key. Without one, the header is removed.
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
          throw new SpeechUnavailable('The speech server did not send an MP3.');
        });
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw error;
        const failure =
          error instanceof SpeechUnavailable
            ? error
            : new SpeechUnavailable(messageOf(error), { cause: error });
        // A provider's message may contain text of files, so it is not logged.
        log.warn({ host, model, status: statusOf(error) }, failure.message);
        throw failure;
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Limits the response, and refuses redirects, which would send the key and the text elsewhere. */
function guarded(fetch: typeof globalThis.fetch, withKey: boolean): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (!withKey) headers.delete('authorization');
    const response = await fetch(input, { ...init, headers, redirect: 'error' });
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > SOUND_BYTES) controller.error(new Error('The sound is too long.'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(bounded) ?? null, response);
  };
}

/** The status of the last response. After a retry, the SDK wraps its error. */
function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode;
  if (error instanceof Error && 'lastError' in error) return statusOf(error.lastError);
  return undefined;
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'The speech server took too long.';
  }
  const status = statusOf(error);
  if (status === undefined || status < 400) return 'The speech server cannot be reached.';
  if (status === 401 || status === 403) return 'The speech server did not accept the key.';
  if (status === 404) return 'The speech server does not know this model.';
  if (status === 429) return 'The speech server has too many requests right now.';
  if (status >= 500) return 'The speech server is failing right now.';
  return 'The speech server did not accept this answer.';
}
