import { ApiError } from '@engram/client';
import { QueryClient } from '@tanstack/react-query';
import { isOfUser } from '../api/keys.ts';
import { cacheInSession } from '../session/session-cache.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';
import { loadWhenBack } from './load-when-back.ts';

/** A refusal stays one however often it is asked for; a server that is down may come back. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && navigator.onLine && !(error instanceof ApiError && error.status < 500);

/** Lets go of what one person has loaded when their session ends, before the next one signs in. */
function forgetWithSession(queries: QueryClient): void {
  onSessionChange(() => {
    if (!isSignedIn()) queries.removeQueries({ predicate: isOfUser });
  });
}

/** The cache of the server's answers, for as long as the page is open. */
export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: isWorthRetrying,
        refetchOnWindowFocus: true,
        refetchOnReconnect: 'always',
        // Without a network a call fails at once and says so, rather than waiting unseen.
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
