import { useCallback, useEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

/**
 * The query of the address, and a way to change it. Two changes may follow each other before the
 * page has followed the first one: the second starts from what the first has left.
 */
export function useAddressQuery() {
  const [query, setQuery] = useSearchParams();
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  const change = useCallback(
    (next: (before: URLSearchParams) => URLSearchParams, { replace }: NavigateOptions): void => {
      latest.current = next(latest.current);
      setQuery(latest.current, { replace: replace ?? false, preventScrollReset: true });
    },
    [setQuery],
  );
  return { query, change };
}
