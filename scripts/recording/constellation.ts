/** A point and how it goes round its place while the clip lasts. */
interface Point {
  x: number;
  y: number;
  /** Whole rounds, in either direction. */
  turns: number;
  /** Where on its round it begins, from 0 to 1. */
  phase: number;
}

export interface Layer {
  points: Point[];
  /** Pixels, as all that follow: of a point, to its furthest neighbour, of its round. */
  radius: number;
  reach: number;
  drift: number;
  /** 0 to 1. */
  opacity: number;
}

/** How much further than the picture points are scattered, so that none appears at its edge. */
const MARGIN = 0.1;
/** The nearest that two points are put together, as a part of their reach. */
const APART = 0.35;
const PLACES_TRIED = 20;

/** Numbers from 0 to 1 that are the same in every recording (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Size = Record<'width' | 'height', number>;

/** Points scattered evenly over a picture and its margin. */
function scatter({ width, height }: Size, seed: number, count: number, apart: number): Point[] {
  const roll = createDice(seed);
  const place = () => ({
    x: (roll() * (1 + 2 * MARGIN) - MARGIN) * width,
    y: (roll() * (1 + 2 * MARGIN) - MARGIN) * height,
  });
  const points: Point[] = [];
  while (points.length < count) {
    let at = place();
    for (let tried = 1; tried < PLACES_TRIED; tried += 1) {
      const { x, y } = at;
      if (points.every((other) => Math.hypot(x - other.x, y - other.y) >= apart)) break;
      at = place();
    }
    points.push({ ...at, turns: roll() < 0.5 ? 1 : -1, phase: roll() });
  }
  return points;
}

/** Memories that find each other: three layers of points, the nearer the larger and the livelier. */
export const constellation = (size: Size): Layer[] =>
  [
    { seed: 7, count: 46, radius: 1.2, reach: 158, drift: 10, opacity: 0.26 },
    { seed: 19, count: 28, radius: 1.8, reach: 165, drift: 15, opacity: 0.34 },
    { seed: 43, count: 14, radius: 2.6, reach: 195, drift: 22, opacity: 0.42 },
  ].map(({ seed, count, ...look }) => ({
    ...look,
    points: scatter(size, seed, count, look.reach * APART),
  }));
