import type { Artifact } from '@engram/contract';
import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus when its row has left the list: to the row that takes its place, else to the search
 * box. Returns a function that does so after a dialog that had the focus has closed.
 */
export function useFocusAfterLeaving(
  files: readonly Artifact[],
  region: RefObject<HTMLElement | null>,
): () => void {
  const focused = useRef<{ id: string; place: number } | null>(null);
  useWindowEvent('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('tr[data-file]');
    const id = row?.dataset['file'];
    if (row?.parentElement && id) {
      focused.current = { id, place: [...row.parentElement.children].indexOf(row) };
    } else if (target.closest('main')) {
      // The row's menus and dialogs are outside of the page's content.
      focused.current = null;
    }
  });

  const restoreFocus = useCallback(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost || focused.current === null) return;
    const rows = [...(region.current?.querySelectorAll<HTMLElement>('tr[data-file]') ?? [])];
    const { id, place } = focused.current;
    if (rows.some(({ dataset }) => dataset['file'] === id)) return;
    const options = rows
      .at(Math.min(place, rows.length - 1))
      ?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    (options ?? document.querySelector<HTMLElement>('[data-search-input]'))?.focus();
  }, [region]);
  useEffect(restoreFocus, [files, restoreFocus]);
  return restoreFocus;
}
