import type { FastifyBaseLogger } from 'fastify';
import {
  createFairLimiter,
  type FairLimiter,
  type FairLimiterOptions,
} from '../threads/fair-limiter.ts';

interface SpeakOptions {
  language: string;
  group: string;
  /** Cancels a text that is queued. One that is being spoken is spoken to its end. */
  signal: AbortSignal;
}

/** Maximum UTF-16 units of a text: four to five minutes, and the limit of OpenAI. */
export const SPOKEN_CHARACTERS = 4000;

export interface Speaker {
  describe(): { on: boolean; detail: string };
  /** Identifies the voice of a language: another one gives other sound for the same text. */
  voice(language: string): string;
  /** Speaks plain text as MP3. @throws SpeechUnavailable, or the signal's reason */
  speak(text: string, options: SpeakOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface SpeakerOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  fetch?: typeof globalThis.fetch;
}

/** A text was not spoken; `message` is a sentence for the user, `cause` is for the log. */
export class SpeechUnavailable extends Error {
  override readonly name = 'SpeechUnavailable';
  /** Seconds until the next attempt; null if unknown. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Seconds after which the queue probably has room. */
const RETRY_SECONDS = 5;

export const createSpeechLimiter = (options: Omit<FairLimiterOptions, 'whenFull'>): FairLimiter =>
  createFairLimiter({
    ...options,
    whenFull: () =>
      new SpeechUnavailable('Too many answers wait to be spoken. Please try again soon.', {
        retryAfterSeconds: RETRY_SECONDS,
      }),
  });
