import { viewOf } from '../bytes.ts';
import type { FormatInput } from '../format.ts';
import { writeGroups } from '../pdf/recognized.ts';
import { exifOf } from './heif.ts';
import { factsOf } from './picture-facts.ts';
import { damaged, openRaster } from './raster.ts';
import type { Extraction, Location } from '../types.ts';

/** Smaller pictures are spacers and counters. */
const MIN_SIDE = 8;
const MAX_PAGES = 5000;

/** Pictures: recognized text, caption and metadata. The pages of a TIFF are parts. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, type, builder } = input;
  const raster = await openRaster(bytes);
  const { width, height, frames } = raster;
  const isCut = type === 'bmp' ? isCutBitmap(bytes) : type !== 'heic' && (await isDamaged(bytes));
  if (isCut) {
    builder.note('This picture is damaged or incomplete. Engram read what it could.');
  }
  const isLarge = Math.min(width, height) >= MIN_SIDE;
  const pages = type === 'tiff' ? frames : 1;
  if (pages === 1) writeCaption(input, isLarge);
  for (let page = 1; page <= Math.min(pages, MAX_PAGES); page += 1) {
    writePage(input, page, { toSee: isLarge, location: pages === 1 ? undefined : { page } });
  }
  if (pages > MAX_PAGES) {
    builder.note(`Only the first ${MAX_PAGES.toLocaleString('en-US')} pages were read.`);
  }
  const { title, sentences } = await factsOf(type === 'heic' ? exifOf(bytes) : bytes, raster);
  builder.block('prose', sentences.join('\n'));
  if (frames > pages) builder.note(`Of ${frames} frames, only the first was searched for text.`);
  return builder.finish({ title, parts: pages === 1 ? null : pages });
}

function writeCaption({ builder, supplements }: FormatInput, isLarge: boolean): void {
  const caption = supplements.captions?.find(({ path }) => path === undefined);
  if (caption === undefined) {
    if (isLarge) builder.request({ kind: 'caption' });
  } else if ('missing' in caption) builder.note(caption.missing);
  else if (caption.text.trim() !== '') builder.block('prose', `Picture: ${caption.text.trim()}`);
}

function writePage(
  { builder, supplements }: FormatInput,
  number: number,
  { toSee: isLarge, location }: { toSee: boolean; location: Location | undefined },
): void {
  const page = supplements.pages?.find((item) => item.page === number && item.path === undefined);
  if (page === undefined) {
    if (isLarge) builder.request({ kind: 'page', page: number });
  } else if ('missing' in page) builder.note(page.missing);
  else writeGroups(builder, page.lines, { page: { page: number }, location });
}

/** Whether only lenient decoding works. Throws if neither does. */
async function isDamaged(bytes: Uint8Array): Promise<boolean> {
  for (const strict of [true, false]) {
    try {
      const { image } = await openRaster(bytes, { strict });
      await image.resize(64, 64, { fit: 'inside' }).raw().toBuffer();
      return !strict;
    } catch (error) {
      if (!strict) damaged(error);
    }
  }
  return true;
}

/** Whether the file is shorter than its header says (bfSize). */
const isCutBitmap = (bytes: Uint8Array): boolean => viewOf(bytes).getUint32(2, true) > bytes.length;
