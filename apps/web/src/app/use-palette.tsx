import { lazyPart } from '../components/lazy-part.tsx';
import { useCallback } from 'react';
import { Shortcuts } from '../features/shell/components/shortcuts.tsx';
import { useDialog } from '../features/shell/use-dialog.ts';
import { useSignedIn } from '../session/session.ts';

const PaletteHost = lazyPart(() => import('./palette-host.tsx'));

export function usePalette() {
  const signedIn = useSignedIn();
  const keys = useDialog();
  const { opened, open, close } = useDialog();
  const toggle = useCallback(() => (opened ? close() : open()), [opened, open, close]);
  return {
    open,
    dialogs: signedIn && (
      <>
        <Shortcuts list={keys} onPalette={toggle} />
        {opened && <PaletteHost onClose={close} onShowShortcuts={keys.open} />}
      </>
    ),
  };
}
