import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { bufferOf } from '../bytes.ts';

/** The parts of libheif-js that are used. Its class HeifDecoder writes errors to the console. */
interface Libheif {
  heif_error_code: { heif_error_Ok: unknown };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: { heif_chroma_interleaved_RGBA: unknown };
  heif_context_alloc(): unknown;
  heif_context_free(context: unknown): void;
  heif_context_read_from_memory(context: unknown, bytes: Uint8Array): { code: unknown };
  heif_js_context_get_primary_image_handle(context: unknown): { code?: unknown } | null;
  heif_image_handle_get_width(handle: unknown): number;
  heif_image_handle_get_height(handle: unknown): number;
  heif_image_handle_release(handle: unknown): void;
  heif_js_decode_image2(
    handle: unknown,
    colors: unknown,
    chroma: unknown,
  ): Promise<{ image?: unknown; channels?: Plane[] }>;
  heif_image_release(image: unknown): void;
}

interface Plane {
  data: Uint8Array;
  width: number;
  height: number;
  /** Bytes from one row to the next. */
  stride: number;
}

/** Four channels of 8 bits. */
interface HeifPixels {
  data: Uint8Array;
  width: number;
  height: number;
}

const require = createRequire(import.meta.url);
let library: Promise<Libheif> | undefined;

/** libheif (LGPL 3) as WebAssembly, loaded for the first picture that needs it. */
async function loadLibrary(): Promise<Libheif> {
  const folder = 'libheif-js/libheif-wasm';
  const wasmBinary = await readFile(require.resolve(`${folder}/libheif.wasm`));
  const create = require(`${folder}/libheif.js`) as (options: object) => Libheif;
  return create({ wasmBinary });
}

/** The brands of HEIF (ISO 23008-12, 10.2) that contain pictures of HEVC. */
export const isHeif = (bytes: Uint8Array): boolean =>
  /^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(bufferOf(bytes).toString('latin1', 4, 12));

/**
 * Decodes the main picture of a HEIF file, turned upright. Throws if it cannot be decoded.
 * @param check throws if the picture is too large to decode
 */
export async function decodeHeif(
  bytes: Uint8Array,
  check: (size: { width: number; height: number }) => void,
): Promise<HeifPixels> {
  library ??= loadLibrary();
  const heif = await library;
  const context = heif.heif_context_alloc();
  let handle: { code?: unknown } | null = null;
  try {
    const { code } = heif.heif_context_read_from_memory(context, bytes);
    if (code === heif.heif_error_code.heif_error_Ok) {
      handle = heif.heif_js_context_get_primary_image_handle(context);
    }
    if (!handle || handle.code) throw new Error('This file contains no picture.');
    check({
      width: heif.heif_image_handle_get_width(handle),
      height: heif.heif_image_handle_get_height(handle),
    });
    const { image, channels: [plane] = [] } = await heif.heif_js_decode_image2(
      handle,
      heif.heif_colorspace.heif_colorspace_RGB,
      heif.heif_chroma.heif_chroma_interleaved_RGBA,
    );
    if (!plane) throw new Error('The picture cannot be decoded.');
    const pixels = packed(plane);
    heif.heif_image_release(image);
    return pixels;
  } finally {
    if (handle && !handle.code) heif.heif_image_handle_release(handle);
    heif.heif_context_free(context);
  }
}

/** Copies a plane without the space between its rows. */
function packed({ data, width, height, stride }: Plane): HeifPixels {
  const rowBytes = width * 4;
  const pixels = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    pixels.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  }
  return { data: pixels, width, height };
}

/** The EXIF data of a HEIF file as a TIFF file, or the bytes themselves if it has no such data. */
export function exifOf(bytes: Uint8Array): Uint8Array {
  const buffer = bufferOf(bytes);
  for (const mark of ['Exif\0\0MM\0*', 'Exif\0\0II*\0']) {
    const offset = buffer.indexOf(mark, 0, 'latin1');
    if (offset !== -1) return bytes.subarray(offset + 6);
  }
  return bytes;
}
