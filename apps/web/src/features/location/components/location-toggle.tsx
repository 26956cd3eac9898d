import { Group, Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconMapPin } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { currentPosition, setPosition } from '../../../browser/device.ts';
import { Chip } from '../../../components/buttons.tsx';
import {
  canLocate,
  FRESH_MS,
  hasAgreed,
  isGranted,
  locate,
  storeAgreement,
} from '../geolocation.ts';

/** `denied` and `unavailable` are shown only after the user has tried. */
type Status = 'off' | 'asking' | 'on' | 'denied' | 'unavailable';

const OFF_HINT = 'Store your location with each question, to about a kilometer';

const hints: Record<Status, string> = {
  off: OFF_HINT,
  asking: 'Your browser is asking for your permission',
  on: 'Your location is stored with each question, to about a kilometer. Press to stop.',
  denied: OFF_HINT,
  unavailable: OFF_HINT,
};

const problems: Partial<Record<Status, string>> = {
  denied:
    'Your browser blocks your location. Allow it for this site beside its address, then press again.',
  unavailable:
    'Your location could not be found. Check the location settings of your device, then press again.',
};

let locatedAt = 0;

async function updatePosition(): Promise<void> {
  setPosition(await locate());
  locatedAt = Date.now();
}

const isDenied = (error: unknown): boolean =>
  (error as Partial<GeolocationPositionError> | null)?.code === 1;

const currentStatus = (): Status => (currentPosition() ? 'on' : 'off');

const mayRefresh = (): boolean => {
  const isFresh = currentPosition() !== null && Date.now() - locatedAt < FRESH_MS;
  return !isFresh && canLocate() && hasAgreed();
};

/** Updates the position if the browser does not have to ask the user again. */
async function refreshPosition(): Promise<void> {
  try {
    if (await isGranted()) await updatePosition();
    else setPosition(null);
    // The user may have switched it off during the update.
    if (!hasAgreed()) setPosition(null);
  } catch {
    setPosition(null);
  }
}

/**
 * Switches the location of questions on and off. The browser asks for permission only when the user
 * switches it on. Later visits use it while the permission is granted.
 */
export function LocationToggle({ centered = false }: { centered?: boolean }) {
  const [status, setStatus] = useState(currentStatus);
  const hintId = useId();

  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (visibility === 'hidden' || !mayRefresh()) return;
    void refreshPosition().then(() => setStatus(currentStatus()));
  }, [visibility]);

  const turnOn = async (): Promise<void> => {
    setStatus('asking');
    try {
      await updatePosition();
      storeAgreement(true);
      setStatus('on');
    } catch (error) {
      setStatus(isDenied(error) ? 'denied' : 'unavailable');
    }
  };
  const toggle = (): void => {
    if (status === 'asking') return;
    if (status !== 'on') return void turnOn();
    storeAgreement(false);
    setPosition(null);
    setStatus('off');
  };

  if (!canLocate()) return null;
  const problem = problems[status];
  return (
    <Group gap="8px 12px" justify={centered ? 'center' : 'flex-start'}>
      <Chip
        aria-pressed={status === 'on'}
        aria-busy={status === 'asking'}
        aria-describedby={hintId}
        title={hints[status]}
        onClick={toggle}
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
