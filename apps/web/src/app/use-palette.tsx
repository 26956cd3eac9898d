import { lazy, Suspense, useCallback, type ReactNode } from 'react';
import { Shortcuts } from '../features/shell/components/shortcuts.tsx';
import { useDialog } from '../features/shell/use-dialog.ts';
import { useSignedIn } from '../session/session.ts';

const PaletteHost = lazy(async () => ({
  default: (await import('./palette-host.tsx')).PaletteHost,
}));

interface PaletteOfLayout {
  open: () => void;
  /** The keys, their list and the palette; to stand where the evidence pane can be reached. */
  dialogs: ReactNode;
}

/** The palette and the other keys that work on every page of a signed-in person, for a layout. */
export function usePalette(): PaletteOfLayout {
  const signedIn = useSignedIn();
  const keys = useDialog();
  const { opened, open, close } = useDialog();
  const toggle = useCallback(() => (opened ? close() : open()), [opened, open, close]);
  return {
    open,
    dialogs: signedIn && (
      <>
        <Shortcuts list={keys} onPalette={toggle} />
        {opened && (
          <Suspense>
            <PaletteHost onClose={close} onShowKeys={keys.open} />
          </Suspense>
        )}
      </>
    ),
  };
}
