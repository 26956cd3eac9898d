import type { Position } from '../../browser/position.ts';

const CONSENT = 'engram-location';

/** How old a position may be that is still where somebody is, in milliseconds. */
export const FRESH_MS = 10 * 60_000;

/** How long the browser may look for it, in milliseconds. */
const PATIENCE_MS = 15_000;

/** Whether this browser can tell where it is; none does over an address that is not secure. */
export const canLocate = (): boolean =>
  window.isSecureContext !== false && 'geolocation' in navigator && Boolean(navigator.geolocation);

/** Whether the person has switched it on in this browser. */
export const hasAgreed = (): boolean => localStorage.getItem(CONSENT) === 'on';

export function keepAgreement(agreed: boolean): void {
  if (agreed) localStorage.setItem(CONSENT, 'on');
  else localStorage.removeItem(CONSENT);
}

/** Whether the browser tells where it is without asking the person. */
export async function isGranted(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    // Who cannot say so will ask.
    return false;
  }
}

/** To about a kilometre: that names a town, and tells nobody a door. */
const rounded = (degrees: number): number => Math.round(degrees * 100) / 100;

/** Where the device is, to about a kilometre. Rejects with a GeolocationPositionError. */
export const locate = (): Promise<Position> =>
  new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) }),
      reject,
      { maximumAge: FRESH_MS, timeout: PATIENCE_MS },
    );
  });
