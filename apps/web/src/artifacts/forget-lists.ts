import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import { clearCache } from '../session/session-cache.ts';

/** Forgets every list that was read, here and in the session's storage; what is shown is read again. */
export function forgetLists(queries: QueryClient): void {
  const [settings] = queryKeys.settings;
  const isTheirs = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== settings;
  clearCache();
  queries.removeQueries({ type: 'inactive', predicate: isTheirs });
  void queries.invalidateQueries({ predicate: isTheirs });
}
