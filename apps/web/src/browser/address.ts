import { useCallback, useEffect, useRef, useState } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/**
 * Escapes the percent signs of an address that cannot be decoded, such as a truncated link. The router
 * would fail on it instead of showing that the page does not exist.
 */
export function repairAddress(): void {
  const { pathname, search, hash } = window.location;
  if (isDecodable(pathname)) return;
  const repaired = pathname.replaceAll('%', '%25');
  window.history.replaceState(window.history.state, '', `${repaired}${search}${hash}`);
}

/**
 * The query of the address, and a function that changes it. Consecutive changes build on each other
 * before the address is updated.
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

/**
 * Shows a value of the address immediately, before the address is updated. Other changes of the address,
 * such as by Back, are shown too.
 */
export function useOptimisticValue<T>(value: T, write: (value: T) => void) {
  const [shown, show] = useState(value);
  const written = useRef(value);
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    show(value);
  }, [value]);
  const commit = (next: T): void => {
    written.current = next;
    write(next);
  };
  return { shown, show, commit };
}
