import type { Box } from '../types.ts';

export interface Size {
  width: number;
  height: number;
}

/**
 * Where a rectangle of a turned picture stands on the picture as it is shown: the smallest upright
 * box around it, in fractions, cut at the picture's edges.
 *
 * @param box pixels of the turned picture
 * @param size of the turned picture, which holds the whole shown one, centred
 * @param degrees the shown picture was turned by, clockwise
 * @param scale of the turned picture: its pixels for one of the shown picture
 * @param shown the shown picture's size
 */
export function boxOnShown(
  box: { x0: number; y0: number; x1: number; y1: number },
  size: Size,
  degrees: number,
  scale: number,
  shown: Size,
): Box {
  // Turning back by the angle about the centre, with y pointing down.
  const cos = Math.cos((-degrees * Math.PI) / 180);
  const sin = Math.sin((-degrees * Math.PI) / 180);
  const corners = [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x0, box.y1],
    [box.x1, box.y1],
  ] as const;
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [x, y] of corners) {
    const fromX = (x - size.width / 2) / scale;
    const fromY = (y - size.height / 2) / scale;
    xs.push((fromX * cos - fromY * sin) / shown.width + 0.5);
    ys.push((fromX * sin + fromY * cos) / shown.height + 0.5);
  }
  const [left, right] = [fraction(Math.min(...xs)), fraction(Math.max(...xs))];
  const [top, bottom] = [fraction(Math.min(...ys)), fraction(Math.max(...ys))];
  return { left, top, width: fraction(right - left), height: fraction(bottom - top) };
}

/** Within 0 and 1, to a ten-thousandth: finer than a pixel of most pictures. */
function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
}
