import sharp from 'sharp';
import { type EngineBlock, type EngineLine, LAYOUT, type Layout } from './engine.ts';
import { certaintyOf, isDoubtful, linesOf } from './confidence.ts';
import { decodedGray, type GrayPicture, turn } from './prepare.ts';

export interface Attempt {
  degrees: number;
  layout: Layout;
}

const MIN_SKEW_DEGREES = 1.5;

/** Further attempts, likeliest first, if the first was doubtful or the text is vertical or skewed. */
export async function furtherAttempts(
  blocks: readonly EngineBlock[],
  gray: GrayPicture,
): Promise<Attempt[]> {
  const lines = linesOf(blocks).map(({ line }) => line);
  const upright = (degrees: number): Attempt => ({ degrees, layout: LAYOUT.page });
  if (areVertical(lines)) return (readDownward(lines) ? [270, 90] : [90, 270]).map(upright);
  const certainty = certaintyOf(blocks);
  const doubtful = isDoubtful(certainty);
  const level =
    doubtful || Math.abs(skewOf(lines)) >= MIN_SKEW_DEGREES ? await levelingTurn(gray) : 0;
  const leveled = Math.abs(level) >= MIN_SKEW_DEGREES ? [upright(level)] : [];
  if (!doubtful) return leveled;
  // Quarter turns are slow on pictures without text.
  const quarters = certainty.letters > 0 ? [90, 270] : [];
  return [
    ...leveled,
    upright(180),
    { degrees: 0, layout: LAYOUT.sparse },
    ...quarters.map(upright),
  ];
}

function areVertical(lines: readonly EngineLine[]): boolean {
  const long = lines.filter(({ words }) => words.length > 1);
  const vertical = long.filter(({ bbox }) => bbox.y1 - bbox.y0 > 2 * (bbox.x1 - bbox.x0));
  return vertical.length * 2 > long.length;
}

function readDownward(lines: readonly EngineLine[]): boolean {
  const down = lines.filter(({ words }) => {
    const [first, last] = [words[0], words.at(-1)];
    return first !== undefined && last !== undefined && first.bbox.y0 < last.bbox.y0;
  });
  return down.length * 2 > lines.length;
}

function skewOf(lines: readonly EngineLine[]): number {
  const angles = lines
    .filter(({ words }) => words.length > 2)
    .map(({ baseline: { x0, y0, x1, y1 } }) => (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI)
    .sort((a, b) => a - b);
  return angles[angles.length >> 1] ?? 0;
}

/** Longer side of the picture for measuring. */
const SIDE = 700;
const MAX_SKEW_DEGREES = 20;
const MIN_SHARPNESS_GAIN = 1.15;

/**
 * The clockwise turn in degrees that levels the text, or 0, by the profile of the rows (W. Postl,
 * 'Detection of linear oblique structures and skew scan in digitized documents', ICPR 1986).
 */
async function levelingTurn(gray: GrayPicture): Promise<number> {
  const small = await decodedGray(
    sharp(gray.pixels, { raw: { ...gray.size, channels: 1 } }).resize(SIDE, SIDE, {
      fit: 'inside',
      withoutEnlargement: true,
    }),
    gray.scale,
  );
  const unturned = await sharpness(small, 0);
  let best = { degrees: 0, score: unturned };
  const consider = async (degrees: number): Promise<void> => {
    const score = await sharpness(small, degrees);
    if (score > best.score) best = { degrees, score };
  };
  for (let degrees = -MAX_SKEW_DEGREES; degrees <= MAX_SKEW_DEGREES; degrees += 1)
    await consider(degrees);
  const roughDegrees = best.degrees;
  for (const nearby of [-0.6, -0.3, 0.3, 0.6]) await consider(roughDegrees + nearby);
  return best.score > unturned * MIN_SHARPNESS_GAIN ? best.degrees : 0;
}

/** The sum of squared differences of neighboring rows in the middle of the picture. */
async function sharpness(picture: GrayPicture, degrees: number): Promise<number> {
  const { pixels, size } = await turn(picture, degrees);
  const [left, right] = [Math.round(size.width * 0.2), Math.round(size.width * 0.8)];
  const [top, bottom] = [Math.round(size.height * 0.2), Math.round(size.height * 0.8)];
  let total = 0;
  let previousMean = -1;
  for (let y = top; y < bottom; y += 1) {
    let sum = 0;
    for (let x = left; x < right; x += 1) sum += pixels[y * size.width + x] ?? 0;
    const mean = sum / Math.max(1, right - left);
    if (previousMean >= 0) total += (mean - previousMean) ** 2;
    previousMean = mean;
  }
  return total;
}
