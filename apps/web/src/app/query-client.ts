import { ApiError } from '@engram/client';
import { QueryClient } from '@tanstack/react-query';
import { isUserQuery } from '../api/keys.ts';
import { cacheInSession } from '../session/session-cache.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';
import { ready } from '@engram/contract/browser';
import { api } from '../api/api.ts';

const POLL_MS = 5000;

/** Statuses of a gateway without its server, or of a server that is not ready. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);

/** Whether there was no response (a TypeError of fetch), or an unavailable server. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof ApiError && UNAVAILABLE_STATUSES.has(error.status));

const isReady = (): Promise<boolean> =>
  api.call(ready, {}).then(
    () => true,
    () => false,
  );

/**
 * Refetches failed queries once the server is ready again. Errors of a ready server are left to the
 * user, who can press 'Try again'.
 */
function refetchWhenBack(queries: QueryClient): void {
  const failed = {
    type: 'active',
    predicate: ({ state }: { state: { error: unknown } }) => isUnavailable(state.error),
  } as const;
  const hasFailed = (): boolean => queries.getQueryCache().findAll(failed).length > 0;
  let isPolling = false;

  async function poll(): Promise<void> {
    isPolling = true;
    do await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    while (hasFailed() && !(await isReady()));
    await queries.refetchQueries(failed);
    isPolling = false;
  }

  queries.getQueryCache().subscribe((event) => {
    if (isPolling || event.type !== 'updated' || event.action.type !== 'error') return;
    if (isUnavailable(event.action.error)) void poll();
  });
}

/** Client errors are not retried, because the response would be the same. */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 2 && navigator.onLine && !(error instanceof ApiError && error.status < 500);

function clearOnSignOut(queries: QueryClient): void {
  onSessionChange(() => {
    if (!isSignedIn()) queries.removeQueries({ predicate: isUserQuery });
  });
}

export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        refetchOnReconnect: 'always',
        // Calls fail immediately when offline, instead of waiting.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  clearOnSignOut(queries);
  cacheInSession(queries);
  refetchWhenBack(queries);
  return queries;
}
