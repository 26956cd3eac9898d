import type { QueryClient } from '@tanstack/react-query';
import { isOfUser } from '../api/keys.ts';
import { clearCache } from '../session/session-cache.ts';

/** Forgets every list that was read, here and in the session's storage; what is shown is read again. */
export function forgetLists(queries: QueryClient): void {
  clearCache();
  queries.removeQueries({ type: 'inactive', predicate: isOfUser });
  void queries.invalidateQueries({ predicate: isOfUser });
}
