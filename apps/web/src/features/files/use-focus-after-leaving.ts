import type { Artifact } from '@engram/contract';
import { useCallback, useEffect, useRef, type RefObject } from 'react';

/** Menus and dialogs of a row stand outside of the page's own content. */
const rowOf = (element: Element): HTMLElement | null => element.closest('tr[data-file]');

/**
 * Where the keyboard goes on when the row with the focus has left the list: at the row that takes its
 * place, else at the search. Answers what is to be called when a dialog that kept the focus is gone.
 */
export function useFocusAfterLeaving(
  files: readonly Artifact[],
  region: RefObject<HTMLElement | null>,
): () => void {
  /** The row that is worked with, and its place among those that are there. */
  const worked = useRef<{ id: string; place: number } | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      const row = rowOf(target);
      const id = row?.dataset['file'];
      if (row?.parentElement && id) {
        worked.current = { id, place: [...row.parentElement.children].indexOf(row) };
      } else if (target.closest('main')) {
        worked.current = null;
      }
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  const goOn = useCallback(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost || worked.current === null) return;
    const rows = [...(region.current?.querySelectorAll<HTMLElement>('tr[data-file]') ?? [])];
    const { id, place } = worked.current;
    if (rows.some(({ dataset }) => dataset['file'] === id)) return;
    const options = rows
      .at(Math.min(place, rows.length - 1))
      ?.querySelector<HTMLElement>('[aria-haspopup="menu"]');
    (options ?? document.querySelector<HTMLElement>('[data-search-input]'))?.focus();
  }, [region]);
  useEffect(goOn, [files, goOn]);
  return goOn;
}
