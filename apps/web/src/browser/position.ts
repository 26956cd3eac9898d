/** Where the device is, in degrees, no finer than the person agreed to. */
export interface Position {
  latitude: number;
  longitude: number;
}

let position: Position | null = null;
let place: string | null = null;

/** Keeps where the device is, for calls that tell it; null when that is not to be told any more. */
export function holdPosition(next: Position | null): void {
  if (next?.latitude !== position?.latitude || next?.longitude !== position?.longitude)
    place = null;
  position = next;
}

/** Keeps what the held position is called. */
export function holdPlace(name: string | null): void {
  place = position && name;
}

/** Where the device is, as far as the person lets Engram know; null otherwise. */
export const heldPosition = (): Position | null => position;

/** What that place is called; null while nobody has said. */
export const heldPlace = (): string | null => place;
