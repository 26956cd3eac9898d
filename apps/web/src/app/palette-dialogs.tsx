import { useStore } from '../browser/store.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { Shortcuts } from '../features/shell/components/shortcuts.tsx';
import { palette } from '../features/shell/dialogs.ts';

const PaletteHost = lazyPart(() => import('./palette-host.tsx'));

export function PaletteDialogs() {
  const isOpen = useStore(palette.opened);
  return (
    <>
      <Shortcuts />
      {isOpen && <PaletteHost />}
    </>
  );
}
