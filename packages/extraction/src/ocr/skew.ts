import sharp from 'sharp';
import { type GreyPicture, turn } from './prepare.ts';

/** Lines of print are still told from the gaps between them at this length of the longer side. */
const LENGTH = 700;
const MOST_DEGREES = 20;
/** How much clearer the lines must be than they are unturned. */
const CLEARER = 1.15;

/**
 * How far a picture of text is to be turned for its lines to lie level, in degrees, clockwise; 0
 * when no angle makes lines clearer. By the profile of the rows: level, dark lines and light gaps
 * alternate sharply (W. Postl, Detection of linear oblique structures and skew scan in digitized
 * documents, ICPR 1986).
 */
export async function levellingTurn(grey: GreyPicture): Promise<number> {
  const small = await shrink(grey);
  const unturned = await sharpness(small, 0);
  let best = { degrees: 0, score: unturned };
  const consider = async (degrees: number): Promise<void> => {
    const score = await sharpness(small, degrees);
    if (score > best.score) best = { degrees, score };
  };
  for (let degrees = -MOST_DEGREES; degrees <= MOST_DEGREES; degrees += 1) await consider(degrees);
  const rough = best.degrees;
  for (const nearby of [-0.6, -0.3, 0.3, 0.6]) await consider(rough + nearby);
  return best.score > unturned * CLEARER ? best.degrees : 0;
}

async function shrink({ pixels, size, scale }: GreyPicture): Promise<GreyPicture> {
  const { data, info } = await sharp(pixels, { raw: { ...size, channels: 1 } })
    .resize(LENGTH, LENGTH, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, size: { width: info.width, height: info.height }, scale };
}

/** The sum of squared differences between neighbouring rows, over the middle that stays whole. */
async function sharpness(picture: GreyPicture, degrees: number): Promise<number> {
  const { pixels, size } = await turn(picture, degrees);
  const [left, right] = [Math.round(size.width * 0.2), Math.round(size.width * 0.8)];
  const [top, bottom] = [Math.round(size.height * 0.2), Math.round(size.height * 0.8)];
  let total = 0;
  let before = -1;
  for (let y = top; y < bottom; y += 1) {
    let sum = 0;
    for (let x = left; x < right; x += 1) sum += pixels[y * size.width + x] ?? 0;
    const mean = sum / Math.max(1, right - left);
    if (before >= 0) total += (mean - before) ** 2;
    before = mean;
  }
  return total;
}
