import { useCallback, useEffect, useRef, useState } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/**
 * Escapes the percent signs of an address that cannot be decoded, as in a link cut within a
 * character. Otherwise the router would fail instead of showing that there is no such page.
 */
export function mendAddress(): void {
  const { pathname, search, hash } = window.location;
  if (isReadable(pathname)) return;
  const mended = pathname.replaceAll('%', '%25');
  window.history.replaceState(window.history.state, '', `${mended}${search}${hash}`);
}

/**
 * The query of the address, and a function that changes it. A second change builds on the first
 * even if the address has not been updated in between.
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
 * Shows a value of the address as soon as it is set, before the address is updated. Changes of the
 * address itself, such as by Back, are shown too.
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
