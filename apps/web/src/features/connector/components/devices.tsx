import { Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { LoadState } from '../../../components/load-state.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { useDevices } from '../api.ts';
import { DeviceCard } from './device-card.tsx';

/** A card for each of the person's devices that keep folders in step. */
export function Devices() {
  const call = useDevices({ enabled: true });
  const { data: devices, error } = call;
  const list = useRef<HTMLDivElement>(null);
  if (!devices) return <LoadState call={call} what="your devices" heights={[120]} />;
  if (devices.length === 0) {
    return (
      <Text inherit c="dimmed" lh={1.6}>
        No device is connected. Download the Connector below, and it appears here once you have let
        it in.
      </Text>
    );
  }
  return (
    <>
      {error && <FailureNote title="The list may be out of date." error={error} />}
      <Stack component="ul" gap={12} ref={list} tabIndex={-1} aria-label="Devices">
        {devices.map((device) => (
          <DeviceCard
            key={device.id}
            device={device}
            // The button that had the focus goes with its card.
            onEnded={() => list.current?.focus()}
          />
        ))}
      </Stack>
    </>
  );
}
