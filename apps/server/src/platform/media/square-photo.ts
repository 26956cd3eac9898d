const SIDE = 256;
const QUALITY = 84;
/** Far more than a portrait has. */
const MAX_PIXELS = 50_000_000;

/** The accepted formats. Others that libvips reads are less safe. */
const FORMATS = new Set(['jpeg', 'png', 'webp', 'gif']);

/** Converts a picture to a small square JPEG without metadata. @throws Error if it is invalid or too large */
export async function squarePhoto(bytes: Uint8Array): Promise<Buffer> {
  // Loaded on demand, because loading is slow.
  const { default: sharp } = await import('sharp');
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format } = await image.metadata();
  if (!FORMATS.has(format)) throw new Error('Not a supported picture.');
  return image
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'cover' })
    .flatten({ background: 'white' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
