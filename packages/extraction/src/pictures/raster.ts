import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp, { type Sharp } from 'sharp';
import { bufferOf, viewOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { decodeHeif, isHeif } from './heif.ts';

const MAX_PIXELS = 100_000_000;
/** Bitmaps (BMP) and HEIF are decoded in memory. */
const MAX_BITMAP_PIXELS = 25_000_000;

/** Other formats of libvips (SVG, PDF) may run code. */
const RASTERS = new Set(['jpeg', 'png', 'gif', 'webp', 'tiff']);

// Each picture is read once.
sharp.cache(false);

export interface Raster {
  /** The picture with EXIF orientation applied, first frame only. */
  image: Sharp;
  width: number;
  height: number;
  /** Frames or pages in the file. */
  frames: number;
  /** The XMP packet, because EXIF readers find it only in JPEG. */
  xmp: Uint8Array | null;
  /** PNG text chunks and comments. */
  comments: readonly { keyword: string; text: string }[];
}

/**
 * Opens a picture by its header, decoding only bitmaps and HEIF. `strict` makes decoding damaged ones fail.
 * `page` counts from 1. Throws {@link ExtractionError}.
 */
export async function openRaster(
  bytes: Uint8Array,
  { strict = false, page = 1 }: { strict?: boolean; page?: number } = {},
): Promise<Raster> {
  if (bytes[0] === 0x42 && bytes[1] === 0x4d) return openBitmap(bytes);
  if (isHeif(bytes)) return openHeif(bytes);
  const declared = gifSize(bytes);
  if (declared) refuseTooLarge(declared, MAX_PIXELS);
  const image = sharp(bytes, {
    failOn: strict ? 'error' : 'none',
    // Checked below, to report the size.
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
  if (bufferOf(bytes).toString('latin1', 0, 3) !== 'GIF' || bytes.length < 10) return null;
  const view = viewOf(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

async function openHeif(bytes: Uint8Array): Promise<Raster> {
  const check = (size: { width: number; height: number }): void =>
    refuseTooLarge(size, MAX_BITMAP_PIXELS);
  const { data, width, height } = await decodeHeif(bytes, check).catch((error: unknown) => {
    if (error instanceof ExtractionError) throw error;
    return damaged(error);
  });
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  return { image: image.removeAlpha(), width, height, frames: 1, xmp: null, comments: [] };
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
    // Frees memory outside of the heap without waiting for the garbage collector.
    canvas.width = 1;
    canvas.height = 1;
  }
}

/** BITMAPCOREHEADER has 16 bits for each side, later headers 32. */
function bitmapSize(bytes: Uint8Array): { width: number; height: number } | null {
  if (bytes.length < 26) return null;
  const view = viewOf(bytes);
  if (view.getUint32(14, true) === 12) {
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  }
  // A negative height means that rows are stored from the top.
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
}
