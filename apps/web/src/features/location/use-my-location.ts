import { useCallback, useEffect, useState } from 'react';
import { heldPosition, holdPosition } from '../../browser/position.ts';
import { canLocate, FRESH_MS, hasAgreed, isGranted, keepAgreement, locate } from './geolocation.ts';

/** `denied` and `unavailable` are told only to somebody who has just tried. */
export type LocationStatus = 'off' | 'asking' | 'on' | 'denied' | 'unavailable';

export interface MyLocation {
  status: LocationStatus;
  turnOn: () => void;
  turnOff: () => void;
}

let locatedAt = 0;

async function takePosition(): Promise<void> {
  holdPosition(await locate());
  locatedAt = Date.now();
}

const isDenied = (error: unknown): boolean =>
  (error as Partial<GeolocationPositionError> | null)?.code === 1;

/**
 * Whether questions tell where they are asked. The browser is asked only when the person switches it
 * on; later visits go on with it as long as the browser does not have to ask again.
 */
export function useMyLocation(): MyLocation {
  const [status, setStatus] = useState<LocationStatus>(() => (heldPosition() ? 'on' : 'off'));

  useEffect(() => {
    let gone = false;
    const refresh = async (): Promise<void> => {
      const fresh = heldPosition() !== null && Date.now() - locatedAt < FRESH_MS;
      if (fresh || document.hidden || !canLocate() || !hasAgreed()) return;
      try {
        if (!(await isGranted())) throw new Error('The browser would have to ask.');
        await takePosition();
        // Switched off meanwhile: what came in is not kept.
        if (!hasAgreed()) holdPosition(null);
      } catch {
        holdPosition(null);
      }
      if (!gone) setStatus(heldPosition() ? 'on' : 'off');
    };
    void refresh();
    const seen = (): void => void refresh();
    document.addEventListener('visibilitychange', seen);
    return () => {
      gone = true;
      document.removeEventListener('visibilitychange', seen);
    };
  }, []);

  const turnOn = useCallback(() => {
    setStatus('asking');
    takePosition().then(
      () => {
        keepAgreement(true);
        setStatus('on');
      },
      (error: unknown) => setStatus(isDenied(error) ? 'denied' : 'unavailable'),
    );
  }, []);

  const turnOff = useCallback(() => {
    keepAgreement(false);
    holdPosition(null);
    setStatus('off');
  }, []);

  return { status, turnOn, turnOff };
}
