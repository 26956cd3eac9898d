import { startTransition, Suspense, useState, type ReactNode } from 'react';

interface OnFirstPressProps {
  /** The button; calls what it is handed when it is pressed. */
  renderButton: (open: () => void) => ReactNode;
  /** What takes the button's place from then on: the same button with what it opens, opened. */
  children: ReactNode;
}

/**
 * A button whose menu is made when it is first pressed: most rows that come into sight go again
 * before anybody opens a menu of theirs, and menus are most of what making a row costs.
 */
export function OnFirstPress({ renderButton, children }: OnFirstPressProps) {
  const [pressed, setPressed] = useState(false);
  // The button stays until what takes its place is there.
  const open = (): void => startTransition(() => setPressed(true));
  return <Suspense>{pressed ? children : renderButton(open)}</Suspense>;
}
