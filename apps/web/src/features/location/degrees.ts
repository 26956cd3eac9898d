import type { Position } from '../../browser/position.ts';

/** A position as the server is asked for its name: to about a kilometre. */
export const degreesOf = ({ latitude, longitude }: Position) => ({
  lat: latitude.toFixed(2),
  lon: longitude.toFixed(2),
});
