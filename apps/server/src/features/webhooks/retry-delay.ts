const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The schedule that Standard Webhooks recommends. */
const DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
/** Delays vary by up to this share, so that retries do not arrive together. */
const JITTER = 0.2;

/** Milliseconds from a failed attempt to the next one; null after the last. */
export function retryDelayMs(attempts: number, random: number = Math.random()): number | null {
  const delay = DELAYS[attempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
