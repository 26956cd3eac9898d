import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp, { type Sharp } from 'sharp';
import { ExtractionError } from '../errors.ts';

/** The most pixels a picture may have: a page of A3 at 600 dots to the inch, or 100 megapixels. */
const MAX_PIXELS = 100_000_000;
/** The most pixels of a bitmap (BMP), which is held in memory as a whole. */
const MAX_BITMAP_PIXELS = 25_000_000;

/** What is opened; others that libvips reads (SVG, PDF) are programs rather than pictures. */
const RASTERS = new Set(['jpeg', 'png', 'gif', 'webp', 'tiff']);

// Pictures are each read once: a cache of decoded ones is memory for nothing.
sharp.cache(false);

export interface Raster {
  /** The picture as it is shown: upright by its EXIF orientation, an animation's first frame. */
  image: Sharp;
  width: number;
  height: number;
  /** Pictures in the file: more than 1 in an animation, or where each is a page. */
  frames: number;
  /** Its XMP packet, for types that have one; read here since EXIF readers know it of JPEG only. */
  xmp: Uint8Array | null;
  /** Text chunks of PNG and comments, by keyword. */
  comments: readonly { keyword: string; text: string }[];
}

/**
 * Opens a picture by its header, decoding only bitmaps. `strict` makes decoding damaged ones fail.
 * `page` counts from 1. Throws {@link ExtractionError}.
 */
export async function openRaster(
  bytes: Uint8Array,
  { strict = false, page = 1 }: { strict?: boolean; page?: number } = {},
): Promise<Raster> {
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return openBitmap(bytes);
  const declared = gifSize(bytes);
  if (declared) refuseTooLarge(declared, MAX_PIXELS);
  const image = sharp(bytes, {
    failOn: strict ? 'error' : 'none',
    // Checked below, before anything is decoded, to say by how much.
    limitInputPixels: false,
    sequentialRead: true,
    ...(page === 1 ? {} : { page: page - 1 }),
  });
  const about = await image.metadata().catch(damaged);
  const { width, height, format, pages = 1, autoOrient, xmp = null, comments = [] } = about;
  if (!RASTERS.has(format)) throw new ExtractionError('unsupported', 'This is not a picture.');
  refuseTooLarge({ width, height }, MAX_PIXELS);
  return { image: image.autoOrient(), ...autoOrient, frames: pages, xmp, comments };
}

export function damaged(cause: unknown): never {
  throw new ExtractionError('damaged', 'This picture is damaged and cannot be opened.', { cause });
}

function refuseTooLarge(size: { width: number; height: number }, limit: number): void {
  if (size.width < 1 || size.height < 1) damaged(undefined);
  if (size.width * size.height > limit) {
    const pixels = `${size.width.toLocaleString('en-US')} by ${size.height.toLocaleString('en-US')}`;
    throw new ExtractionError(
      'too_large',
      `This picture has ${pixels} pixels. Pictures of up to ${limit / 1e6} megapixels are read.`,
    );
  }
}

/** The logical screen of a GIF (GIF89a, section 18), which libvips allocates for every frame. */
function gifSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (Buffer.from(bytes.subarray(0, 3)).toString('latin1') !== 'GIF' || bytes.length < 10) {
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

async function openBitmap(bytes: Uint8Array): Promise<Raster> {
  const size = bitmapSize(bytes);
  if (size === null) return damaged(undefined);
  refuseTooLarge(size, MAX_BITMAP_PIXELS);
  const { width, height } = size;
  const canvas = createCanvas(width, height);
  try {
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
    context.drawImage(await loadImage(bytes), 0, 0);
    const pixels = Buffer.from(canvas.data());
    const image = sharp(pixels, {
      raw: { width, height, channels: 4 },
    });
    return { image: image.removeAlpha(), width, height, frames: 1, xmp: null, comments: [] };
  } catch (error) {
    return damaged(error);
  } finally {
    // The picture's memory lies outside the heap, and is not waited for.
    canvas.width = 1;
    canvas.height = 1;
  }
}

/** A bitmap's size: BITMAPCOREHEADER has 16 bits for each side, all later ones have 32. */
function bitmapSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < 26) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(14, true) === 12) {
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  }
  // A negative height says that the rows are stored from the top.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}
