import { useCallback, useRef, useState } from 'react';

export interface Dialog {
  opened: boolean;
  /** Opens it. Closing returns the focus to `opener`, or to the element that had it before. */
  open: (opener?: HTMLElement) => void;
  close: () => void;
}

/**
 * The state of a dialog. Closing returns the focus immediately, so that the next page or dialog can
 * take it.
 */
export function useDialog(): Dialog {
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  const open = useCallback((element?: HTMLElement) => {
    const focused = document.activeElement;
    opener.current = element ?? (focused instanceof HTMLElement ? focused : null);
    setOpened(true);
  }, []);
  const close = useCallback(() => {
    setOpened(false);
    opener.current?.focus({ preventScroll: true });
  }, []);
  return { opened, open, close };
}
