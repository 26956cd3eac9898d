import { useRef } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { FailureNote } from '../../../components/failure-note.tsx';
import { LoadingBlocks } from '../../../components/loading-blocks.tsx';
import { useDevices } from '../api/devices.ts';
import { DeviceCard } from './device-card.tsx';
import classes from './devices.module.css';

/** A card for each of the person's devices that keep folders in step. */
export function Devices() {
  const { data: devices, error, refetch } = useDevices({ enabled: true });
  const list = useRef<HTMLUListElement>(null);
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
      <p className={classes.nothing}>
        No device is connected. Download the Connector below, and it appears here once you have let
        it in.
      </p>
    );
  }
  return (
    <>
      {error && <FailureNote title="The list may be out of date." error={error} />}
      <ul className={classes.cards} ref={list} tabIndex={-1} aria-label="Devices">
        {devices.map((device) => (
          <DeviceCard
            key={device.id}
            device={device}
            // The button that had the focus goes with its card.
            onEnded={() => list.current?.focus()}
          />
        ))}
      </ul>
    </>
  );
}
