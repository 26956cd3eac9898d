import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HttpError, tooManyRequests } from './errors.ts';

/** How many keys are remembered that were good. */
const REMEMBERED = 10_000;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

/**
 * Bounds how often one network may call with an API key that is none: each costs a look into the
 * database, unlike a token, whose signature tells. What was good the last time is let through, so
 * that nobody who has called before is kept out by others behind the same address.
 * @param limit Seconds until a network's next call may fail; with a cost of 0 it is only asked.
 */
export function createKeyGuard(limit: (network: string, cost?: 0 | 1) => number) {
  const good = new LRUCache<string, true>({ max: REMEMBERED });

  /** @throws HttpError 429 where too many failed from the network, and what `verify` throws. */
  return async <T>(network: string, key: string, verify: (key: string) => Promise<T>) => {
    const hash = hashOf(key);
    const wait = good.get(hash) ? 0 : limit(network, 0);
    if (wait > 0) {
      throw tooManyRequests(
        'Too many calls with a wrong API key came from your network. Please wait a moment.',
        wait,
      );
    }
    try {
      const caller = await verify(key);
      good.set(hash, true);
      return caller;
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) {
        good.delete(hash);
        limit(network);
      }
      throw error;
    }
  };
}
