import { Group, Kbd } from '@mantine/core';
import { Dialog } from '../../../components/dialog.tsx';
import { shortcutList } from '../dialogs.ts';
import { paletteKeys } from '../palette.ts';
import { destinations } from '../destinations.ts';

const shortcuts = (): { keys: readonly string[]; label: string }[] => [
  { keys: paletteKeys(), label: 'Find anything' },
  { keys: ['/'], label: 'Ask, or search the page' },
  ...destinations.map(({ key, label }) => ({ keys: ['g', key], label: `Go to ${label}` })),
  { keys: ['u'], label: 'Upload' },
  { keys: ['1', '–', '9'], label: 'Open a source of the answer' },
  { keys: ['←', '→'], label: 'Step through the sources' },
  { keys: ['Esc'], label: 'Close the dialog or source' },
  { keys: ['?'], label: 'Show keyboard shortcuts' },
];

export default function ShortcutList() {
  return (
    <Dialog opened onClose={shortcutList.close} title="Keyboard shortcuts" returnFocus={false}>
      <dl>
        {shortcuts().map(({ keys, label }) => (
          <Group key={label} justify="space-between" py={6}>
            <dt>{label}</dt>
            <Group component="dd" gap={4}>
              {keys.map((key) => (key === '–' ? key : <Kbd key={key}>{key}</Kbd>))}
            </Group>
          </Group>
        ))}
      </dl>
    </Dialog>
  );
}
