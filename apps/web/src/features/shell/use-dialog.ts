import { useRef, useState } from 'react';

export interface Dialog {
  opened: boolean;
  /** Whether it was ever open: what nobody opens need not be loaded. */
  wasOpened: boolean;
  /** Opens it; `opener` gets the focus back when it closes. */
  open: (opener: HTMLElement) => void;
  close: () => void;
}

/**
 * Whether a dialog is open. The focus returns before anything else that closing it leads to, so that
 * a page or a dialog that opens next may take it.
 */
export function useDialog(): Dialog {
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const opener = useRef<HTMLElement>(null);
  return {
    opened,
    wasOpened,
    open: (element) => {
      opener.current = element;
      setWasOpened(true);
      setOpened(true);
    },
    close: () => {
      setOpened(false);
      opener.current?.focus({ preventScroll: true });
    },
  };
}
