import { createTurns, type Turns, type TurnsOptions } from '../threads/turns.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

/** Seconds after which a place in the line is likely. */
const RETRY_SECONDS = 5;

/** The line in which people wait until their answers are spoken. */
export const createLine = (options: Omit<TurnsOptions, 'full'>): Turns =>
  createTurns({
    ...options,
    full: () =>
      new SpeechUnavailable('Too many answers wait to be spoken. Please try again soon.', {
        retryAfterSeconds: RETRY_SECONDS,
      }),
  });
