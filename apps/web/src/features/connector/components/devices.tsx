import { Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { LoadingBlocks } from '../../../components/loading-blocks.tsx';
import { useDevices } from '../api.ts';
import { DeviceCard } from './device-card.tsx';

/** A card for each of the person's devices that keep folders in step. */
export function Devices() {
  const { data: devices, error, refetch } = useDevices({ enabled: true });
  const list = useRef<HTMLDivElement>(null);
  if (!devices && error) {
    return (
      <ErrorState
        title="Your devices could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!devices) return <LoadingBlocks label="Loading your devices" heights={[120]} />;
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
