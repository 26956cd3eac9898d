import { useCallback, useRef, useState } from 'react';

/**
 * A menu that opens as soon as its button is there, in place of the one that was pressed: the button
 * takes the focus first, so that it has it back when the menu closes.
 */
export function useOpenedMenu() {
  const [opened, setOpened] = useState(false);
  const isBegun = useRef(false);
  const target = useCallback((button: HTMLButtonElement | null) => {
    if (!button || isBegun.current) return;
    isBegun.current = true;
    button.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return { target, menu: { opened, onChange: setOpened } };
}
