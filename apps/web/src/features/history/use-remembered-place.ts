import { useQueryClient } from '@tanstack/react-query';
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useNavigationType } from 'react-router';
import { keyOf } from '../../api/keys.ts';
import type { HistoryFilter } from './history-pages.ts';

/** Where a list was left. */
export interface Place {
  offset: number;
  /** The rows whose height is known. */
  sizes: VirtualItem[];
  /** The question that had the focus. */
  focusedKey: string | null;
}

const placeKey = (filter: HistoryFilter) => [...keyOf('history'), 'place', filter] as const;

/** Where the list was left, for who comes back to it. */
export function useRememberedPlace(filter: HistoryFilter): Place | undefined {
  const queries = useQueryClient();
  const isReturn = useNavigationType() === 'POP';
  const [place] = useState(() =>
    isReturn ? queries.getQueryData<Place>(placeKey(filter)) : undefined,
  );
  return place;
}

const keyOfFocused = (list: HTMLElement | null): string | null => {
  const row = document.activeElement?.closest<HTMLElement>('[data-key]');
  return row && list?.contains(row) ? (row.dataset['key'] ?? null) : null;
};

/** Remembers where the list is when it goes. */
export function useKeepPlace(
  filter: HistoryFilter,
  list: RefObject<HTMLElement | null>,
  virtualizer: Pick<Virtualizer<Window, HTMLElement>, 'scrollOffset' | 'takeSnapshot'>,
): void {
  const queries = useQueryClient();
  const keep = useRef(() => {});
  useLayoutEffect(() => {
    keep.current = () =>
      queries.setQueryData<Place>(placeKey(filter), {
        offset: virtualizer.scrollOffset ?? 0,
        sizes: virtualizer.takeSnapshot(),
        focusedKey: keyOfFocused(list.current),
      });
  });
  useLayoutEffect(() => () => keep.current(), []);
}
