import { ApiError } from '@engram/client';
import { ready } from '@engram/contract/browser';
import { QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';

/** A refusal stays one however often it is asked for; a server that is down may come back. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && navigator.onLine && !(error instanceof ApiError && error.status < 500);

/** Until the first look whether a server is back, and between two later ones at most, in milliseconds. */
const FIRST_LOOK_MS = 3000;
const LONGEST_LOOK_MS = 10_000;

/** Whether nothing answered, or what answered lacks a part that may come back. */
const isAway = (error: Error | null): boolean =>
  error !== null && !(error instanceof ApiError && ![502, 503, 504].includes(error.status));

/** Loads what could not be loaded once the server is ready again, and nothing before. */
function loadWhenBack(queries: QueryClient): void {
  const missing = {
    type: 'active',
    predicate: ({ state }: { state: { error: Error | null } }) => isAway(state.error),
  } as const;
  let waitMs = FIRST_LOOK_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function lookLater(): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => void look(), waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_LOOK_MS);
  }

  async function look(): Promise<void> {
    timer = undefined;
    if (queries.getQueryCache().findAll(missing).length === 0) {
      waitMs = FIRST_LOOK_MS;
      return;
    }
    const isBack = navigator.onLine && (await api.call(ready, {}).catch(() => null)) !== null;
    if (isBack) await queries.refetchQueries(missing);
    lookLater();
  }

  queries.getQueryCache().subscribe(({ query }) => {
    if (isAway(query.state.error)) lookLater();
  });
}

/** Lets go of what one person has loaded when their session ends, before the next one signs in. */
function forgetWithSession(queries: QueryClient): void {
  const [settings] = queryKeys.settings;
  onSessionChange(() => {
    if (isSignedIn()) return;
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== settings });
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
  loadWhenBack(queries);
  return queries;
}
