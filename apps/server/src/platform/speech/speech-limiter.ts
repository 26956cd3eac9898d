import {
  createFairLimiter,
  type FairLimiter,
  type FairLimiterOptions,
} from '../threads/fair-limiter.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

/** Seconds after which a place in the queue is likely. */
const RETRY_SECONDS = 5;

/** Limits how many answers are spoken at a time, and how many wait. */
export const createSpeechLimiter = (options: Omit<FairLimiterOptions, 'whenFull'>): FairLimiter =>
  createFairLimiter({
    ...options,
    whenFull: () =>
      new SpeechUnavailable('Too many answers wait to be spoken. Please try again soon.', {
        retryAfterSeconds: RETRY_SECONDS,
      }),
  });
