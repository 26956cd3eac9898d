import { ApiError } from '@engram/client';
import { QueryClient } from '@tanstack/react-query';
import { isOfUser } from '../api/keys.ts';
import { cacheInSession } from '../session/session-cache.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';
import { ready } from '@engram/contract/browser';
import { api } from '../api/api.ts';

/** How often to check whether the server is back, in milliseconds. */
const LOOK_MS = 5000;

/** The statuses of a gateway whose server is down, and of a server without one of its services. */
const AWAY = new Set([502, 503, 504]);

/** Whether there was no response, which fetch reports as a TypeError, or one from an unavailable server. */
const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && AWAY.has(error.status));

const isReady = (): Promise<boolean> =>
  api.call(ready, {}).then(
    () => true,
    () => false,
  );

/**
 * Loads what could not be loaded again once the server is ready. What fails on a ready server is
 * left to the user, who can press 'Try again'.
 */
function loadWhenBack(queries: QueryClient): void {
  const missing = {
    type: 'active',
    predicate: ({ state }: { state: { error: unknown } }) => isAway(state.error),
  } as const;
  const isMissing = (): boolean => queries.getQueryCache().findAll(missing).length > 0;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    while (isMissing() && !(await isReady()));
    await queries.refetchQueries(missing);
    isLooking = false;
  }

  queries.getQueryCache().subscribe((event) => {
    if (isLooking || event.type !== 'updated' || event.action.type !== 'error') return;
    if (isAway(event.action.error)) void look();
  });
}

/** Client errors are not retried, because the response would be the same. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && navigator.onLine && !(error instanceof ApiError && error.status < 500);

function forgetWithSession(queries: QueryClient): void {
  onSessionChange(() => {
    if (!isSignedIn()) queries.removeQueries({ predicate: isOfUser });
  });
}

export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: isWorthRetrying,
        refetchOnWindowFocus: true,
        refetchOnReconnect: 'always',
        // Without a network a call fails immediately, instead of waiting.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  forgetWithSession(queries);
  cacheInSession(queries);
  loadWhenBack(queries);
  return queries;
}
