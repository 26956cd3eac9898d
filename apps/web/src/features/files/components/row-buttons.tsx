import { IconDots, IconPlus } from '@tabler/icons-react';
import { startTransition, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';

interface DeferredMenuProps {
  renderButton: (open: () => void) => ReactNode;
  /** Replaces the button by one with its menu, which is open. */
  children: ReactNode;
}

/**
 * A button whose menu is rendered when it is first pressed, since menus are most of the cost of a row
 * and few of them are opened.
 */
export function DeferredMenu({ renderButton, children }: DeferredMenuProps) {
  const [pressed, setPressed] = useState(false);
  // In a transition the button stays until its replacement has loaded.
  const open = (): void => startTransition(() => setPressed(true));
  return <Suspense>{pressed ? children : renderButton(open)}</Suspense>;
}

/**
 * The state of a menu inside {@link DeferredMenu}. It opens once its button is mounted and focused, so
 * that closing returns the focus to it.
 */
export function useMenuOpenedOnMount() {
  const [opened, setOpened] = useState(false);
  const wasOpened = useRef(false);
  const target = useCallback((button: HTMLButtonElement | null) => {
    if (!button || wasOpened.current) return;
    wasOpened.current = true;
    button.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return { target, menu: { opened, onChange: setOpened } };
}

const round = { size: 26, radius: 'xl' } as const;

export const optionsButton = (name: string) =>
  ({
    variant: 'subtle',
    color: 'gray',
    size: 34,
    'aria-label': `Options for ${name}`,
    'aria-haspopup': 'menu',
    children: <IconDots size={18} stroke={1.7} />,
  }) as const;

export const moreButton = (name: string, count: number) =>
  ({
    ...round,
    variant: 'light',
    w: 'auto',
    px: 7,
    fz: 'xs',
    fw: 600,
    'aria-label': `More keywords of ${name}: ${count}`,
    'aria-haspopup': 'menu',
    children: `+${count}`,
  }) as const;

export const addButton = (name: string) =>
  ({
    ...round,
    variant: 'subtle',
    color: 'gray',
    bd: '1px dashed var(--eg-line-strong)',
    'aria-label': `Add a keyword to ${name}`,
    'aria-haspopup': 'listbox',
    children: <IconPlus size={14} stroke={2} />,
  }) as const;
