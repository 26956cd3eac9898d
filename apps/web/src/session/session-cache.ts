import { CACHE_TTL_MS } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { isSignedIn } from './session.ts';

/** Characters of the longest entry: the session itself must have room too. */
const MAX_LENGTH = 1_000_000;

interface Entry<T> {
  data: T;
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** A value of the session storage that is younger than 24 hours. */
export function readCache<T>(key: string, now = Date.now()): Entry<T> | undefined {
  try {
    const entry = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Entry<T> | null;
    return entry && now - entry.timestamp < CACHE_TTL_MS ? entry : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a value for 24 hours. Empty lists and very large values are not stored, nor what arrives
 * after the session has ended: the next user of this tab would see it.
 */
export function writeCache<T>(key: string, data: T, now = Date.now()): void {
  if (!isSignedIn()) return;
  const entry = JSON.stringify({ data, timestamp: now } satisfies Entry<T>);
  if ((Array.isArray(data) && data.length === 0) || entry.length > MAX_LENGTH) {
    sessionStorage.removeItem(key);
    return;
  }
  try {
    sessionStorage.setItem(key, entry);
  } catch {
    // The storage is full: the next page calls the server instead.
    sessionStorage.removeItem(key);
  }
}

/** Options of a query that starts with the data cached in session storage, and is read again. */
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

export function clearCache(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (readCache(key)) sessionStorage.removeItem(key);
  }
}

const WAY_BACK_KEY = 'wayBack';

/**
 * Stores the page from which the user went to the plans, until the payment is over: the payment
 * provider's pages may lie between. Null forgets it.
 */
export const keepWayBack = (from: string | null): void => writeCache(WAY_BACK_KEY, from ?? []);

export function wayBack(): string | null {
  const kept = readCache<unknown>(WAY_BACK_KEY)?.data;
  return typeof kept === 'string' && kept.startsWith('/') ? kept : null;
}
