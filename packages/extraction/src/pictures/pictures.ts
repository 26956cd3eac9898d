import type { Sharp } from 'sharp';
import { isPicture } from '../file-types.ts';
import { ExtractionError } from '../errors.ts';
import { renderPage } from '../pdf/render.ts';
import { memberOf } from '../archives/member-of.ts';
import { createKeyring } from '../keyring.ts';
import type { Recognizer } from '../ocr/recognizer.ts';
import { damaged, openRaster } from './raster.ts';
import type { ExtractInput, PictureRef, RecognizedPage } from '../types.ts';

export type PictureSource = Omit<ExtractInput, 'supplements'>;

const THUMBNAIL_SIDE = 480;
const THUMBNAIL_QUALITY = 78;
const JPEG_QUALITY = 90;
/** Size of a page for recognition: A4 at 230 dpi. */
const PAGE_PIXELS = 5_000_000;

/** The last member of each archive, because its next page is in the same bytes. */
const lastMember = new WeakMap<Uint8Array, { path: string; source: PictureSource }>();

/** A picture of up to `maxPixels`: JPEG, or PNG if lossless. Throws {@link ExtractionError}. */
export async function pictureOf(
  input: PictureSource,
  ref: PictureRef,
  options: { maxPixels: number },
): Promise<Uint8Array> {
  const source = await sourceOf(input, ref);
  if (source.type === 'pdf') return pdfPage(source, ref.page, options.maxPixels);
  const { image, width, height } = await openRaster(picturesOnly(source).bytes, { page: ref.page });
  const scale = Math.min(1, Math.sqrt(options.maxPixels / (width * height)));
  const fitting = scale === 1 ? image : fitInto(image, Math.max(width, height) * scale);
  const isPhoto = source.type === 'jpeg' || source.type === 'heic';
  const encoded = isPhoto ? fitting.jpeg({ quality: JPEG_QUALITY }) : fitting.png();
  return encoded.toBuffer().catch(damaged);
}

/** Recognizes a picture's text. Throws {@link ExtractionError}, or EngineError if the engine failed. */
export async function recognizePicture(
  input: PictureSource,
  ref: PictureRef,
  recognizer: Recognizer,
  options: { signal?: AbortSignal } = {},
): Promise<RecognizedPage> {
  const source = await sourceOf(input, ref);
  const lines = await recognizer.recognize(await pageToRead(source, ref.page), options);
  return { page: ref.page, ...(ref.path === undefined ? {} : { path: ref.path }), lines };
}

async function pageToRead(source: PictureSource, page: number): Promise<Uint8Array> {
  if (source.type === 'pdf') return pdfPage(source, page, PAGE_PIXELS);
  const { bytes } = picturesOnly(source);
  if (page === 1) return bytes;
  const { image } = await openRaster(bytes, { page });
  return image.png().toBuffer().catch(damaged);
}

/** A WebP thumbnail of a picture or first PDF page. Null for other types. */
export async function thumbnailOf(source: PictureSource): Promise<Uint8Array | null> {
  const isPdf = source.type === 'pdf';
  if (!isPdf && !isPicture(source.type)) return null;
  const page = isPdf ? await pdfPage(source, 1, (2 * THUMBNAIL_SIDE) ** 2) : source.bytes;
  const { image } = await openRaster(page);
  return fitInto(image, THUMBNAIL_SIDE)
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer()
    .catch(damaged);
}

const pdfPage = (
  { bytes, passwords }: PictureSource,
  page: number,
  maxPixels: number,
): Promise<Uint8Array> => renderPage(bytes, page, { maxPixels, keyring: createKeyring(passwords) });

function fitInto(image: Sharp, side: number): Sharp {
  const max = Math.max(1, Math.round(side));
  return image.resize(max, max, { fit: 'inside', withoutEnlargement: true });
}

async function sourceOf(input: PictureSource, { path }: PictureRef): Promise<PictureSource> {
  if (path === undefined) return input;
  const known = lastMember.get(input.bytes);
  if (known?.path === path) return known.source;
  const { bytes, passwords } = input;
  const source = { ...(await memberOf(bytes, path, createKeyring(passwords))), passwords };
  lastMember.set(input.bytes, { path, source });
  return source;
}

function picturesOnly(source: PictureSource): PictureSource {
  if (isPicture(source.type)) return source;
  throw new ExtractionError('unsupported', 'This file is not a picture.');
}
