import { CACHE_TTL_MS } from '@engram/contract/browser';
import { isSignedIn } from './session.ts';

/** Characters of the longest entry that is kept: what is of the session itself must have room. */
const ROOM = 1_000_000;

interface Entry<T> {
  data: T;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** A list kept in session storage, or undefined when there is none younger than 24 hours. */
export function readCache<T>(key: string, now = Date.now()): Entry<T> | undefined {
  try {
    const entry = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Entry<T> | null;
    return entry && now - entry.timestamp < CACHE_TTL_MS ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** A query's beginning: what is kept under a key, with its age; the server is asked all the same. */
export const startFromCache = <T>(key: string) => ({
  initialData: () => readCache<T>(key)?.data,
  initialDataUpdatedAt: () => readCache<T>(key)?.timestamp,
  staleTime: 0,
});

/**
 * Keeps a value for 24 hours. Empty arrays are not kept: the next look asks the server again. Nor is
 * what would fill the storage, or arrives after the session has ended: the next person in this tab
 * would see it.
 */
export function writeCache<T>(key: string, data: T, now = Date.now()): void {
  if (!isSignedIn()) return;
  const entry = JSON.stringify({ data, timestamp: now } satisfies Entry<T>);
  if ((Array.isArray(data) && data.length === 0) || entry.length > ROOM) {
    sessionStorage.removeItem(key);
    return;
  }
  try {
    sessionStorage.setItem(key, entry);
  } catch {
    // The storage is full: the cache only saves a call, so doing without it loses nothing.
    sessionStorage.removeItem(key);
  }
}

/** Forgets everything that was kept by {@link writeCache}. */
export function clearCache(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (readCache(key)) sessionStorage.removeItem(key);
  }
}
