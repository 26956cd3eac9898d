import { useEffect, useRef } from 'react';

/** Scrolls a row sideways to its current item. `scrollIntoView` could also scroll the page. */
export function useScrollToCurrent<Row extends HTMLElement>(current: string) {
  const ref = useRef<Row>(null);
  useEffect(() => {
    const row = ref.current;
    const item = row?.querySelector('[aria-current="page"], [aria-selected="true"]');
    if (!row || !item) return;
    const [outer, inner] = [row.getBoundingClientRect(), item.getBoundingClientRect()];
    row.scrollBy?.({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
  }, [current]);
  return ref;
}
