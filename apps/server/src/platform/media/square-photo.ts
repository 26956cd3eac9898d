/** Side of a person's photo, in pixels. */
const SIDE = 256;
const QUALITY = 84;
/** More pixels than this nobody's portrait has. */
const MOST_PIXELS = 50_000_000;

/** What is taken for a photo; others that libvips reads are programs rather than pictures. */
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif']);

/**
 * A picture as a small square JPEG, cut to its middle, upright and without what else its file said.
 * @throws Error when it is no picture, is damaged, or has too many pixels.
 */
export async function squarePhoto(bytes: Uint8Array): Promise<Buffer> {
  // Few calls need it, and loading it takes longer than they should.
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
  const { format } = await image.metadata();
  if (!FORMATS.has(format)) throw new Error('This is not a picture.');
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'cover' })
    .flatten({ background: 'white' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
