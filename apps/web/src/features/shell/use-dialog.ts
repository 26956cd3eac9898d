import { useCallback, useRef, useState } from 'react';

export interface Dialog {
  opened: boolean;
  /** Opens it. On closing, the focus returns to `opener`, or to what had it before. */
  open: (opener?: HTMLElement) => void;
  close: () => void;
}

/**
 * The state of a dialog. The focus returns before anything else happens on closing, so that a page
 * or dialog that opens next can take it.
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
