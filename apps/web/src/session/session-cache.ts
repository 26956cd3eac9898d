import { CACHE_TTL_MS } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { isSignedIn } from './session.ts';

/** Maximum characters of an entry, which leaves room for the session itself. */
const MAX_LENGTH = 1_000_000;

interface Entry<T> {
  data: T;
  timestamp: number;
}

/** A value in the session storage that is younger than 24 hours. */
export function readCache<T>(key: string, now = Date.now()): Entry<T> | undefined {
  try {
    const entry = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Entry<T> | null;
    return entry && now - entry.timestamp < CACHE_TTL_MS ? entry : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a value for 24 hours, except empty lists and very large values. Without a session nothing is
 * stored, because the next user of this tab would see it.
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
    // The storage is full, so the next page calls the server.
    sessionStorage.removeItem(key);
  }
}

/** Options of a query that starts with data from session storage, and is then refetched. */
export const sessionCacheOptions = <T>(key: string) => ({
  initialData: () => readCache<T>(key)?.data,
  initialDataUpdatedAt: () => readCache<T>(key)?.timestamp,
  staleTime: 0,
  meta: { sessionCache: key },
});

/** Stores the data of queries with {@link sessionCacheOptions} when it changes. */
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

const RETURN_PATH_KEY = 'wayBack';

/**
 * Stores the page from which the user opened the plans, as a payment may leave the app. Null removes it.
 */
export const storeReturnPath = (from: string | null): void =>
  writeCache(RETURN_PATH_KEY, from ?? []);

export function returnPath(): string | null {
  const path = readCache<unknown>(RETURN_PATH_KEY)?.data;
  return typeof path === 'string' && path.startsWith('/') ? path : null;
}
