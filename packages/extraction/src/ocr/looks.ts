import sharp from 'sharp';
import { type EngineBlock, type EngineLine, LAYOUT, type Layout } from './engine.ts';
import { isDoubtful, judge, linesOf } from './judge.ts';
import { type GreyPicture, turn } from './prepare.ts';

/** One way of looking at a picture: turned clockwise by so many degrees, for this kind of layout. */
export interface Look {
  degrees: number;
  layout: Layout;
}

/** Lines are put straight from here on, in degrees; below it they are read as well as straight. */
const LEAST_SKEW = 1.5;

/**
 * How to look again after a first look at the picture as it is: the likeliest first, none when the
 * first was good. Text that runs up or down is looked at upright for the order of its columns.
 */
export async function furtherLooks(
  blocks: readonly EngineBlock[],
  grey: GreyPicture,
): Promise<Look[]> {
  const lines = linesOf(blocks).map(({ line }) => line);
  const upright = (degrees: number): Look => ({ degrees, layout: LAYOUT.page });
  if (runVertically(lines)) return (runDown(lines) ? [270, 90] : [90, 270]).map(upright);
  const judgement = judge(blocks);
  const doubtful = isDoubtful(judgement);
  const level = doubtful || Math.abs(skewOf(lines)) >= LEAST_SKEW ? await levellingTurn(grey) : 0;
  const levelled = Math.abs(level) >= LEAST_SKEW ? [upright(level)] : [];
  if (!doubtful) return levelled;
  // Quarter turns cost the most where a picture has no text, and there no letters were seen.
  const quarters = judgement.letters > 0 ? [90, 270] : [];
  return [
    ...levelled,
    upright(180),
    { degrees: 0, layout: LAYOUT.sparse },
    ...quarters.map(upright),
  ];
}

function runVertically(lines: readonly EngineLine[]): boolean {
  const long = lines.filter(({ words }) => words.length > 1);
  const vertical = long.filter(({ bbox }) => bbox.y1 - bbox.y0 > 2 * (bbox.x1 - bbox.x0));
  return vertical.length * 2 > long.length;
}

/** Whether the words follow one another downwards, as on a page turned clockwise. */
function runDown(lines: readonly EngineLine[]): boolean {
  const down = lines.filter(({ words }) => {
    const [first, last] = [words[0], words.at(-1)];
    return first !== undefined && last !== undefined && first.bbox.y0 < last.bbox.y0;
  });
  return down.length * 2 > lines.length;
}

/** How far the lines fall to the right, in degrees: the median of their baselines. */
function skewOf(lines: readonly EngineLine[]): number {
  const angles = lines
    .filter(({ words }) => words.length > 2)
    .map(({ baseline: { x0, y0, x1, y1 } }) => (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI)
    .sort((one, other) => one - other);
  return angles[angles.length >> 1] ?? 0;
}

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
async function levellingTurn(grey: GreyPicture): Promise<number> {
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
