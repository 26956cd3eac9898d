import { useEffect, useRef, useState } from 'react';

/**
 * A value of the address that is shown as it is set, before the address has followed. What comes by
 * the address alone, as Back does, is shown too.
 */
export function useShownAtOnce<T>(value: T, write: (value: T) => void) {
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
