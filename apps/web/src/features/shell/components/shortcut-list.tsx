import { Kbd, Modal } from '@mantine/core';
import { places } from '../places.ts';
import classes from './shortcut-list.module.css';

const shortcuts: { keys: string[]; label: string }[] = [
  { keys: ['/'], label: 'Search' },
  ...Object.entries(places).map(([key, { label }]) => ({
    keys: ['g', key],
    label: `Go to ${label}`,
  })),
  { keys: ['u'], label: 'Upload' },
  { keys: ['?'], label: 'Show these keys' },
];

/** The keys that work on every page. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <dl className={classes.list}>
        {shortcuts.map(({ keys, label }) => (
          <div key={label} className={classes.row}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
