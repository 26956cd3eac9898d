import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import type { HistoryRow } from './history-rows.ts';
import { rowToFocus } from './row-to-focus.ts';
import type { RowVirtualizer } from './use-virtual-rows.ts';

interface RowFocus {
  rows: readonly HistoryRow[];
  list: RefObject<HTMLElement | null>;
  virtualizer: RowVirtualizer;
  /** The question that has the focus at first. */
  focusedKey: string | null;
}

const questionAt = (list: HTMLElement | null, row: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`${row} [data-question]`) ?? null;

/** The arrow keys, Home and End go from question to question, also to those that are out of sight. */
export function useRowFocus({ rows, list, virtualizer, focusedKey }: RowFocus) {
  // Where it is to be when that row is there, as a selector.
  const awaited = useRef(focusedKey === null ? null : `[data-key="${CSS.escape(focusedKey)}"]`);
  useLayoutEffect(() => {
    if (awaited.current === null) return;
    const question = questionAt(list.current, awaited.current);
    if (!question) return;
    awaited.current = null;
    question.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = rowToFocus(event.key, Number(row.dataset['index']), rows);
    if (index === null) return;
    event.preventDefault();
    const question = questionAt(list.current, `[data-index="${index}"]`);
    if (question) return question.focus();
    awaited.current = `[data-index="${index}"]`;
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
}
