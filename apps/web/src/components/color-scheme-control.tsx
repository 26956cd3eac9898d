import { Group, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './color-scheme-control.module.css';

const schemes: { value: MantineColorScheme; label: string; icon: Icon }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
];

export function ColorSchemeControl() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <Group
      component="fieldset"
      gap={2}
      p={2}
      bd="1px solid var(--eg-line)"
      bdrs={9}
      style={{ alignSelf: 'flex-start' }}
    >
      <legend className="eg-visually-hidden">Color scheme</legend>
      {schemes.map(({ value, label, icon: SchemeIcon }) => (
        <label key={value} className={classes.choice} title={label}>
          <input
            className="eg-visually-hidden"
            type="radio"
            name={name}
            aria-label={label}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <SchemeIcon size={16} stroke={1.7} aria-hidden="true" />
        </label>
      ))}
    </Group>
  );
}
