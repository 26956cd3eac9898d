import type { FastifyBaseLogger } from 'fastify';
import {
  createFairLimiter,
  type FairLimiter,
  type FairLimiterOptions,
} from '../threads/fair-limiter.ts';

interface SpeakOptions {
  language: string;
  group: string;
  /** Cancels a queued text. A text that is being spoken is completed. */
  signal: AbortSignal;
}

/** The maximum length of a text: four to five minutes, and OpenAI's limit. */
export const MAX_SPOKEN_CHARACTERS = 4000;

export interface Speaker {
  describe(): { on: boolean; detail: string };
  /** Identifies the voice of a language, which determines the sound of a text. */
  voice(language: string): string;
  /** Speaks plain text as MP3. @throws SpeechUnavailable, or the signal's reason */
  speak(text: string, options: SpeakOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface SpeakerOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  fetch?: typeof globalThis.fetch;
}

/** A text was not spoken. The message is for the user, the cause for the log. */
export class SpeechUnavailable extends Error {
  override readonly name = 'SpeechUnavailable';
  /** Seconds until the next attempt; null if unknown. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** After this time the queue probably has room. */
const RETRY_SECONDS = 5;

export const createSpeechLimiter = (options: Omit<FairLimiterOptions, 'whenFull'>): FairLimiter =>
  createFairLimiter({
    ...options,
    whenFull: () =>
      new SpeechUnavailable('Too many answers are waiting to be spoken. Please try again soon.', {
        retryAfterSeconds: RETRY_SECONDS,
      }),
  });
