import { ApiError } from '@engram/client';
import { ready } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** Between two looks whether a server that was away is back, in milliseconds. */
const LOOK_MS = 5000;

/** What a gateway answers for a server that is away, and a server that lacks a part. */
const AWAY = new Set([502, 503, 504]);

/** Whether nothing answered, with which a browser's fetch fails so, or what did lacks something. */
const isAway = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiError && AWAY.has(error.status));

const isReady = (): Promise<boolean> =>
  api.call(ready, {}).then(
    () => true,
    () => false,
  );

/**
 * Loads what could not be loaded once the server is ready again, and asks for nothing of it before.
 * What a ready server does not give either is left to whoever presses 'Try again'.
 */
export function loadWhenBack(queries: QueryClient): void {
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
