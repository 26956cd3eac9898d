import { Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Entry } from '../../../components/entry.tsx';
import { paletteKeys, useOpenPalette } from '../palette.ts';

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
      <Text span ms="auto" size="xs" c="dimmed" data-keys aria-hidden="true">
        {paletteKeys().join(' ')}
      </Text>
    </Entry>
  );
}
