import { Group, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useId } from 'react';
import { Chip } from '../../../components/chip.tsx';
import { canLocate } from '../geolocation.ts';
import { type LocationStatus, useMyLocation } from '../use-my-location.ts';

const hints: Record<LocationStatus, string> = {
  off: 'Keep with each question where you asked it, to about a kilometre',
  asking: 'Your browser is asking for your permission',
  on: 'Each question keeps where you asked it, to about a kilometre. Press to stop.',
  denied: 'Keep with each question where you asked it, to about a kilometre',
  unavailable: 'Keep with each question where you asked it, to about a kilometre',
};

const problems: Partial<Record<LocationStatus, string>> = {
  denied:
    'Your browser does not tell Engram where you are. Allow the location for this site beside its address, then press again.',
  unavailable:
    'Your location could not be found. Check that your device knows where it is, then press again.',
};

/** Switches on and off that questions tell where they are asked; off until somebody wants it. */
export function LocationToggle({ centered = false }: { centered?: boolean }) {
  const { status, turnOn, turnOff } = useMyLocation();
  const hintId = useId();
  if (!canLocate()) return null;
  const on = status === 'on';
  const problem = problems[status];
  return (
    <Group gap="8px 12px" justify={centered ? 'center' : 'flex-start'}>
      <Chip
        aria-pressed={on}
        aria-busy={status === 'asking'}
        aria-describedby={hintId}
        title={hints[status]}
        onClick={() => {
          if (on) turnOff();
          else if (status !== 'asking') turnOn();
        }}
      >
        <IconMapPin size={15} stroke={1.8} aria-hidden="true" />
        Use my location
      </Chip>
      <span id={hintId} className="eg-visually-hidden">
        {hints[status]}
      </span>
      {problem !== undefined && (
        <Text
          flex={centered ? '1 0 100%' : '1 1 260px'}
          size="sm"
          ta={centered ? 'center' : 'start'}
          c="dimmed"
          role="alert"
        >
          {problem}
        </Text>
      )}
    </Group>
  );
}
