export function deviceLabel(
  userAgent = navigator.userAgent,
  touchPoints = navigator.maxTouchPoints,
): string {
  // An iPad that requests desktop pages reports a Mac, but Macs have no touch screen.
  if (/Macintosh/u.test(userAgent) && touchPoints > 1) return 'iPad';
  // An iPhone also reports Mac OS X, and an Android phone Linux.
  const labels: [RegExp, string][] = [
    [/iPhone/u, 'iPhone'],
    [/iPad/u, 'iPad'],
    [/Android/u, 'Android'],
    [/Windows/u, 'Windows'],
    [/Macintosh|Mac OS/u, 'MacOS'],
    [/Linux|X11/u, 'Linux'],
  ];
  return labels.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Unknown Device';
}

/** The browser and the device, such as 'Chrome on Windows'. */
export function browserLabel(userAgent = navigator.userAgent, device = deviceLabel()): string {
  // Edge and Opera also report Chrome, and Chrome reports Safari.
  const browsers: [RegExp, string][] = [
    [/Edg/u, 'Edge'],
    [/OPR\//u, 'Opera'],
    [/Firefox|FxiOS/u, 'Firefox'],
    [/Chrome|CriOS/u, 'Chrome'],
    [/Safari/u, 'Safari'],
  ];
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Browser';
  return `${browser} on ${device}`;
}

export interface Position {
  latitude: number;
  longitude: number;
}

let position: Position | null = null;
let place: string | null = null;

export function setPosition(next: Position | null): void {
  if (next?.latitude !== position?.latitude || next?.longitude !== position?.longitude)
    place = null;
  position = next;
}

export function setPlaceName(name: string | null): void {
  place = position && name;
}

export const currentPosition = (): Position | null => position;

export const currentPlaceName = (): string | null => place;
