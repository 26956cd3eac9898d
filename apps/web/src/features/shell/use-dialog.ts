import { useCallback, useRef, useState } from 'react';

export interface Dialog {
  opened: boolean;
  /** Whether it was ever open: what nobody opens need not be loaded. */
  wasOpened: boolean;
  /** Opens it; `opener`, or else what has the focus, gets the focus back when it closes. */
  open: (opener?: HTMLElement) => void;
  close: () => void;
}

/**
 * Whether a dialog is open. The focus returns before anything else that closing it leads to, so that
 * a page or a dialog that opens next may take it.
 */
export function useDialog(): Dialog {
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  const open = useCallback((element?: HTMLElement) => {
    const focused = document.activeElement;
    opener.current = element ?? (focused instanceof HTMLElement ? focused : null);
    setWasOpened(true);
    setOpened(true);
  }, []);
  const close = useCallback(() => {
    setOpened(false);
    opener.current?.focus({ preventScroll: true });
  }, []);
  return { opened, wasOpened, open, close };
}
