import { extract } from './extract.ts';
import { type HtmlWindow, HtmlWriter } from './html/writer.ts';
import { createKeyring } from './keyring.ts';
import { memberOf } from './archives/member-of.ts';
import { openRaster } from './pictures/raster.ts';
import { MAX_SEGMENTS, MAX_TEXT_LENGTH, truncationNote } from './text-builder.ts';
import type { ExtractInput } from './types.ts';

export interface ReadingView {
  /** Pictures are embedded as data URLs. */
  html: string;
  /** False if the file has more content before or after the window. */
  complete: boolean;
}

export interface ReadingViewOptions {
  window?: HtmlWindow;
  /** A member of an archive, or an attachment of a mail, that is shown instead of the whole. */
  path?: string | undefined;
}

/** Maximum text read beyond the window, in UTF-16 units. */
const MARGIN = 100_000;
const PICTURE_SIDE = 1200;
const PICTURE_QUALITY = 75;
/** Maximum bytes of all pictures. */
const PICTURES_BYTES = 6_000_000;

/** Renders a file as HTML. Throws {@link ExtractionError} if the file or member is unreadable. */
export async function readingViewOf(
  input: ExtractInput,
  { window, path }: ReadingViewOptions = {},
): Promise<ReadingView> {
  const { bytes, passwords } = input;
  const source =
    path === undefined
      ? input
      : { ...(await memberOf(bytes, path, createKeyring(passwords))), passwords };
  const writer = new HtmlWriter(window);
  const maxTextLength = Math.min(window?.to ?? Infinity, MAX_TEXT_LENGTH - MARGIN) + MARGIN;
  const limits = { maxLength: maxTextLength, maxSegments: MAX_SEGMENTS };
  const { notes } = await extract(source, { html: writer, maxTextLength });
  const { html, pictures, complete: isWhole } = writer.finish();
  const complete = isWhole && !notes.includes(truncationNote(limits, 'length'));
  let remaining = PICTURES_BYTES;
  const sources: string[] = [];
  for (const picture of pictures) {
    const webp = remaining > 0 ? await toWebP(picture) : null;
    const fits = webp !== null && webp.data.length <= remaining;
    if (fits) remaining -= webp.data.length;
    sources.push(fits ? sourceOf(webp) : 'src=""');
  }
  const withPictures = html.replace(
    /(?<=<img )src="picture:(\d+)"/g,
    (_, index: string) => sources[Number(index)] ?? '',
  );
  return { html: withPictures, complete };
}

interface WebP {
  data: Buffer;
  info: { width: number; height: number };
}

/** Includes its size, so that the layout does not shift. */
const sourceOf = ({ data, info }: WebP): string =>
  `src="data:image/webp;base64,${data.toString('base64')}" width="${info.width}" height="${info.height}"`;

async function toWebP(load: () => Uint8Array): Promise<WebP | null> {
  try {
    const { image } = await openRaster(load());
    const size = { width: PICTURE_SIDE, height: PICTURE_SIDE };
    return await image
      .resize({ ...size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: PICTURE_QUALITY })
      .toBuffer({ resolveWithObject: true });
  } catch {
    return null;
  }
}
