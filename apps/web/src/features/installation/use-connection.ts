import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

export type Connection = 'good' | 'offline' | 'unreachable';

function onConnectionChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser has a network, and whether the server was there when it was last asked. */
export function useConnection(): { connection: Connection; retry: () => void } {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const isOnline = useSyncExternalStore(onConnectionChange, () => navigator.onLine);
  const isReachable = useSyncExternalStore(
    useCallback((listener) => cache.subscribe(listener), [cache]),
    () =>
      !cache
        .findAll({ type: 'active' })
        // What a browser's fetch fails with when there is no answer at all.
        .some(({ state }) => state.status === 'error' && state.error instanceof TypeError),
  );
  const retry = (): void =>
    void queries.refetchQueries({
      type: 'active',
      predicate: ({ state }) => state.status === 'error',
    });
  if (!isOnline) return { connection: 'offline', retry };
  return { connection: isReachable ? 'good' : 'unreachable', retry };
}
