import type { Artifact } from '@engram/contract';
import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useEffect, useRef, type RefObject } from 'react';

/**
 * Moves the focus when its row is removed: to the row in its place, else to the search box. Returns a
 * function that does the same after a dialog has closed.
 */
export function useFocusAfterRemoval(
  files: readonly Artifact[],
  region: RefObject<HTMLElement | null>,
): () => void {
  const focused = useRef<{ id: string; index: number } | null>(null);
  useWindowEvent('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const row = target.closest<HTMLElement>('tr[data-file]');
    const id = row?.dataset['file'];
    if (row?.parentElement && id) {
      focused.current = { id, index: [...row.parentElement.children].indexOf(row) };
    } else if (target.closest('main')) {
      // A row's menus and dialogs are outside of `main`.
      focused.current = null;
    }
  });

  const restoreFocus = useCallback(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost || focused.current === null) return;
    const rows = [...(region.current?.querySelectorAll<HTMLElement>('tr[data-file]') ?? [])];
    const { id, index } = focused.current;
    if (rows.some(({ dataset }) => dataset['file'] === id)) return;
    const options = rows
      .at(Math.min(index, rows.length - 1))
      ?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    (options ?? document.querySelector<HTMLElement>('[data-search-input]'))?.focus();
  }, [region]);
  useEffect(restoreFocus, [files, restoreFocus]);
  return restoreFocus;
}
