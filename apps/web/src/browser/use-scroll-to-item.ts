import { useEffect, useRef } from 'react';

/** Scrolls a row sideways to one of its items. `scrollIntoView` could also scroll the page. */
export function useScrollToItem<Row extends HTMLElement>(selector: string) {
  const ref = useRef<Row>(null);
  useEffect(() => {
    const row = ref.current;
    const item = row?.querySelector(selector);
    if (!row || !item) return;
    const [outer, inner] = [row.getBoundingClientRect(), item.getBoundingClientRect()];
    row.scrollBy?.({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
  }, [selector]);
  return ref;
}
