import { CACHE_TTL_MS } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
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

/**
 * Options of a query whose data session storage caches: it starts with the cached data and its age,
 * and is read from the server nevertheless.
 */
export const startFromCache = <T>(key: string) => ({
  initialData: () => readCache<T>(key)?.data,
  initialDataUpdatedAt: () => readCache<T>(key)?.timestamp,
  staleTime: 0,
  meta: { sessionCache: key },
});

/** Stores what queries with {@link startFromCache} read, and each change of it. */
export function cacheInSession(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    const key = event.query.meta?.['sessionCache'];
    if (typeof key !== 'string' || event.type !== 'updated') return;
    if (event.action.type === 'success') writeCache(key, event.query.state.data);
  });
}

/** Forgets everything that was kept by {@link writeCache}. */
export function clearCache(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (readCache(key)) sessionStorage.removeItem(key);
  }
}
