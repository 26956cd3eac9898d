import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useState, type RefObject } from 'react';
import type { HistoryRow } from './history-rows.ts';
import type { Place } from './use-remembered-place.ts';

/** Heights of rows that were not measured yet: a heading, and a question of one line. */
const DAY_PX = 40;
const QUESTION_PX = 70;
/** Rows that are there beyond those in sight, on either side. */
const OVERSCAN = 8;

export type RowVirtualizer =
  Virtualizer<HTMLElement, HTMLElement> | Virtualizer<Window, HTMLElement>;

interface VirtualRows {
  rows: readonly HistoryRow[];
  list: RefObject<HTMLElement | null>;
  place: Place | undefined;
}

/** How far below the beginning of what scrolls (a column, or the page) a list stands. */
function useTopOf(list: RefObject<HTMLElement | null>, column: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (!list.current) return;
      const start = column
        ? column.getBoundingClientRect().top - column.scrollTop
        : -window.scrollY;
      setTop(Math.round(list.current.getBoundingClientRect().top - start));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [list, column]);
  return top;
}

function useOptions({ rows, place }: VirtualRows, top: number) {
  return {
    count: rows.length,
    estimateSize: useCallback(
      (index: number) => (rows[index]?.kind === 'day' ? DAY_PX : QUESTION_PX),
      [rows],
    ),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: OVERSCAN,
    scrollMargin: top,
    ...(place && { initialOffset: place.offset, initialMeasurementsCache: place.sizes }),
  };
}

/** The rows in sight where a column scrolls. */
export function useColumnRows(given: VirtualRows & { column: HTMLElement }): RowVirtualizer {
  const { list, column } = given;
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer<HTMLElement, HTMLElement>({
    ...useOptions(given, useTopOf(list, column)),
    getScrollElement: () => column,
  });
}

/** The rows in sight where the page scrolls. */
export function usePageRows(given: VirtualRows): RowVirtualizer {
  // oxlint-disable-next-line react/incompatible-library
  return useWindowVirtualizer<HTMLElement>(useOptions(given, useTopOf(given.list, null)));
}
