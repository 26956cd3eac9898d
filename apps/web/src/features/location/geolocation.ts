import { nameLocation } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { setPlaceName, setPosition, type Position } from '../../browser/device.ts';

const CONSENT = 'engram-location';

export const FRESH_MS = 10 * 60_000;

const TIMEOUT_MS = 15_000;

/** Whether this browser can find its location, which needs https. */
export const canLocate = (): boolean =>
  window.isSecureContext !== false && 'geolocation' in navigator && Boolean(navigator.geolocation);

export const hasAgreed = (): boolean => localStorage.getItem(CONSENT) === 'on';

export function storeAgreement(agreed: boolean): void {
  if (agreed) localStorage.setItem(CONSENT, 'on');
  else localStorage.removeItem(CONSENT);
}

export async function isGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    // A browser that cannot be queried asks the user.
    return false;
  }
}

/** Rounds to about a kilometer, which identifies a town but not an address. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 100) / 100;

/** The device's position to about a kilometer. Rejects with a GeolocationPositionError. */
export const locate = (): Promise<Position> =>
  new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          latitude: roundDegrees(coords.latitude),
          longitude: roundDegrees(coords.longitude),
        }),
      reject,
      { maximumAge: FRESH_MS, timeout: TIMEOUT_MS },
    );
  });

export const degreesOf = ({ latitude, longitude }: Position) => ({
  lat: latitude.toFixed(2),
  lon: longitude.toFixed(2),
});

/** Finds the name of this place for the sign-in, if the user has switched the location on. */
export async function findPlace(signal: AbortSignal): Promise<void> {
  if (!canLocate() || !hasAgreed() || !(await isGranted())) return;
  const position = await locate();
  signal.throwIfAborted();
  setPosition(position);
  const query = degreesOf(position);
  setPlaceName((await api.call(nameLocation, { query }, { signal })).data);
}
