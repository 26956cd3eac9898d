import { LRUCache } from 'lru-cache';

/** How often a device may ask whether it was let in, in seconds, until it asked too often. */
export const POLLING_SECONDS = 5;

/** Devices that are remembered: each asks for ten minutes. */
const REMEMBERED = 10_000;

/** Tells devices that ask too often to slow down; each time by five seconds more (RFC 8628, 3.5). */
export function createPollingPace(now: () => Date) {
  const polls = new LRUCache<string, { at: number; seconds: number }>({ max: REMEMBERED });

  return {
    /** @param device hash of its device code */
    isTooSoon(device: string): boolean {
      const at = now().getTime();
      const last = polls.get(device);
      const isTooSoon = last !== undefined && at - last.at < last.seconds * 1000;
      const seconds = (last?.seconds ?? POLLING_SECONDS) + (isTooSoon ? POLLING_SECONDS : 0);
      polls.set(device, { at, seconds });
      return isTooSoon;
    },
  };
}

export type PollingPace = ReturnType<typeof createPollingPace>;
