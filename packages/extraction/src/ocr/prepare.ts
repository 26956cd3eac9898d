import sharp, { type Sharp } from 'sharp';
import { damaged, type Raster } from '../pictures/raster.ts';
import type { Box } from '../types.ts';

export interface Size {
  width: number;
  height: number;
}

/** Small pictures are enlarged to the letter height of the training. */
const TARGET_PIXELS = 2_500_000;
const MAX_ENLARGEMENT = 3;
/** Larger pictures are reduced: A4 at 230 dots per inch. */
const MAX_PIXELS = 5_000_000;
/** The engine's limit. */
const MAX_SIDE = 30_000;

/** A gray picture on a white background, scaled for the engine. */
export interface GrayPicture {
  pixels: Uint8Array;
  size: Size;
  /** Pixels for each pixel of the original picture. */
  scale: number;
}

export function scaleToRecognize({ width, height }: Size): number {
  const pixels = width * height;
  const enlarged = Math.min(MAX_ENLARGEMENT, Math.sqrt(TARGET_PIXELS / pixels));
  const scale = enlarged > 1 ? enlarged : Math.min(1, Math.sqrt(MAX_PIXELS / pixels));
  return Math.min(scale, MAX_SIDE / Math.max(width, height));
}

/** @throws {ExtractionError} when the picture cannot be decoded */
export async function toGray({ image, width, height }: Raster): Promise<GrayPicture> {
  const scale = scaleToRecognize({ width, height });
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  const gray = image.clone().flatten({ background: '#ffffff' }).greyscale();
  const scaled =
    scale === 1 ? gray : gray.resize(side(width), side(height), { fit: 'fill', kernel: 'cubic' });
  return decodedGray(scaled, scale).catch(damaged);
}

export async function decodedGray(image: Sharp, scale: number): Promise<GrayPicture> {
  const { data, info } = await image
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, size: { width: info.width, height: info.height }, scale };
}

/** Rotates clockwise. Adds white corners unless by a multiple of 90 degrees. */
export async function turn(gray: GrayPicture, degrees: number): Promise<GrayPicture> {
  if (degrees === 0) return gray;
  const turned = sharp(gray.pixels, { raw: { ...gray.size, channels: 1 } })
    .rotate(degrees, { background: '#ffffff' })
    .flatten({ background: '#ffffff' });
  return decodedGray(turned, gray.scale);
}

/** As PGM, which the engine reads without decoding. */
export function toPgm({ pixels, size }: GrayPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${size.width} ${size.height}\n255\n`), pixels]);
}

/** Maps a pixel box of a scaled picture, turned clockwise, to fractions of the original. */
export function boxOnOriginal(
  box: { x0: number; y0: number; x1: number; y1: number },
  size: Size,
  degrees: number,
  scale: number,
  original: Size,
): Box {
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
    xs.push((fromX * cos - fromY * sin) / original.width + 0.5);
    ys.push((fromX * sin + fromY * cos) / original.height + 0.5);
  }
  const [left, right] = [fraction(Math.min(...xs)), fraction(Math.max(...xs))];
  const [top, bottom] = [fraction(Math.min(...ys)), fraction(Math.max(...ys))];
  return { left, top, width: fraction(right - left), height: fraction(bottom - top) };
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
}
