import { formatBytes } from '../../format/format.ts';
import { MB, refusalAdvice, tooLarge, type SizeLimits } from './file-rules.ts';
import type { UploadItem } from './upload-item.ts';

/** Maximum side in pixels, at which text in a photo is still readable. */
const MAX_SIDE = 4096;
/** Minimum of the longer side in pixels, below which nothing is readable. */
const MIN_SIDE = 256;
const QUALITY = 0.82;
/** The scale of the sides from one attempt to the next. */
const STEP = 0.75;

async function drawAt(picture: ImageBitmap, side: number): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser cannot shrink pictures.');
  // Transparent areas would turn black in a JPEG.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/** The picture as a JPEG of up to `maxBytes`. Throws if it cannot be read or stays too large. */
async function shrinkImage(file: File, maxBytes: number): Promise<File> {
  const picture = await createImageBitmap(file).catch((cause: unknown) => {
    throw new Error('The picture cannot be read.', { cause });
  });
  try {
    let side = Math.min(MAX_SIDE, Math.max(picture.width, picture.height));
    do {
      const blob = await drawAt(picture, side);
      if (blob.size <= maxBytes) {
        const name = file.name.replace(/\.(?:png|jpe?g)$/iu, '') + '.jpg';
        return new File([blob], name, { type: 'image/jpeg' });
      }
      side *= STEP;
    } while (side >= MIN_SIDE);
    throw new Error('The picture stays too large.');
  } finally {
    picture.close();
  }
}

/** Shrinks an item's picture to the limit. Returns the change of the item, also if it failed. */
export async function shrinkItem(
  { file, name, size }: UploadItem,
  { mediaLimitMb }: SizeLimits,
): Promise<Partial<UploadItem>> {
  try {
    const smaller = await shrinkImage(file, mediaLimitMb * MB);
    const notice = `Shrunk from ${formatBytes(size)} to ${formatBytes(smaller.size)} to fit the limit of ${mediaLimitMb} MB.`;
    return { file: smaller, name: smaller.name, size: smaller.size, notice };
  } catch {
    const message = `${tooLarge(name, mediaLimitMb)} ${refusalAdvice.big}`;
    return { status: 'failed', progress: 0, problem: 'big', message };
  }
}
