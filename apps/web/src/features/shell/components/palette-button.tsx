import { IconSearch } from '@tabler/icons-react';
import { Entry } from '../../../components/entry.tsx';
import { paletteKeys, useOpenPalette } from '../palette.ts';
import classes from './navigation.module.css';

/** Opens the palette, and says by which keys it also opens. */
export function PaletteButton({ onChoose }: { onChoose?: () => void }) {
  const openPalette = useOpenPalette();
  return (
    <Entry
      bd="1px solid var(--eg-line)"
      data-framed
      aria-keyshortcuts={paletteKeys().join('+').replace('Ctrl', 'Control').replace('⌘', 'Meta')}
      onClick={() => {
        onChoose?.();
        openPalette();
      }}
    >
      <IconSearch size={17} stroke={1.7} aria-hidden="true" />
      Find anything
      <span className={classes.aside} aria-hidden="true">
        {paletteKeys().join(' ')}
      </span>
    </Entry>
  );
}
