import { createStore } from '../../browser/store.ts';
import { isSignedIn, onSessionChange } from '../../session/session.ts';

/**
 * A dialog that any part of the page opens. Closing returns the focus immediately, so that the next page
 * or dialog can take it.
 */
function createDialog() {
  const opened = createStore(false);
  let opener: Element | null = null;
  onSessionChange(() => {
    if (!isSignedIn()) opened.set(false);
  });
  return {
    opened,
    /** Closing returns the focus to `element`, or to the element that has it now. */
    open(element: Element | null = document.activeElement): void {
      opener = element;
      opened.set(true);
    },
    close(): void {
      if (!opened.get()) return;
      opened.set(false);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    },
  };
}

export const menu = createDialog();
export const palette = createDialog();
export const shortcutList = createDialog();
