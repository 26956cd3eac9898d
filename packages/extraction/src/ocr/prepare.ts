import sharp from 'sharp';
import { damaged, type Raster } from '../pictures/raster.ts';
import type { Box } from '../types.ts';

export interface Size {
  width: number;
  height: number;
}

/**
 * Small pictures are enlarged to about so many pixels, at most threefold: print of a screen or of a
 * scan at 100 dots to the inch then has letters of the height the engine was trained on. Measured
 * in docs/performance.md.
 */
const WANTED_PIXELS = 2_500_000;
const MAX_ENLARGEMENT = 3;
/** The most pixels looked at: a page of A4 at 230 dots to the inch. Larger ones are made smaller. */
const MOST_PIXELS = 5_000_000;
/** The engine counts pixels of a side in 16 bits. */
const MOST_SIDE = 30_000;

/** A picture in grey, on white where it is clear, of a size that suits the engine. */
export interface GreyPicture {
  pixels: Uint8Array;
  size: Size;
  /** Pixels for one of the picture as it is shown. */
  scale: number;
}

/** The scale at which text in a picture of this size is looked for. */
export function scaleToRecognise({ width, height }: Size): number {
  const pixels = width * height;
  const enlarged = Math.min(MAX_ENLARGEMENT, Math.sqrt(WANTED_PIXELS / pixels));
  const wanted = enlarged > 1 ? enlarged : Math.min(1, Math.sqrt(MOST_PIXELS / pixels));
  return Math.min(wanted, MOST_SIDE / Math.max(width, height));
}

/** @throws {ExtractionError} when the picture cannot be decoded */
export async function toGrey({ image, width, height }: Raster): Promise<GreyPicture> {
  const scale = scaleToRecognise({ width, height });
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  const grey = image.clone().flatten({ background: '#ffffff' }).greyscale();
  const scaled =
    scale === 1 ? grey : grey.resize(side(width), side(height), { fit: 'fill', kernel: 'cubic' });
  const { data, info } = await scaled
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(damaged);
  return { pixels: data, size: { width: info.width, height: info.height }, scale };
}

/** Turned clockwise; by other than quarters, it grows by the white corners that come in. */
export async function turn(grey: GreyPicture, degrees: number): Promise<GreyPicture> {
  if (degrees === 0) return grey;
  const { data, info } = await sharp(grey.pixels, { raw: { ...grey.size, channels: 1 } })
    .rotate(degrees, { background: '#ffffff' })
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, size: { width: info.width, height: info.height }, scale: grey.scale };
}

/** As a portable graymap (PGM), which costs the engine no decoding. */
export function toPgm({ pixels, size }: GreyPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${size.width} ${size.height}\n255\n`), pixels]);
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
