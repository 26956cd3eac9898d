interface Point {
  x: number;
  y: number;
}

interface Thread {
  from: Point;
  to: Point;
  /** 0 to 1: the nearer the two points, the stronger. */
  strength: number;
}

const WIDTH = 1600;
const HEIGHT = 1000;
/** Points that are further apart have no thread. */
const REACH = 260;
/** A point that is nearer to another one is moved to a new place. */
const APART = 90;
const PLACES_TRIED = 20;

/** Numbers from 0 to 1 that are the same at every visit (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Points scattered evenly over a picture, with threads between neighbours. */
export function constellation(seed: number, count: number): { points: Point[]; threads: Thread[] } {
  const roll = createDice(seed);
  const place = (): Point => ({ x: Math.round(roll() * WIDTH), y: Math.round(roll() * HEIGHT) });
  const points: Point[] = [];
  while (points.length < count) {
    let point = place();
    for (let tried = 1; tried < PLACES_TRIED; tried += 1) {
      const candidate = point;
      if (points.every((other) => distance(candidate, other) >= APART)) break;
      point = place();
    }
    points.push(point);
  }
  const threads = points.flatMap((from, index) =>
    points.slice(index + 1).flatMap((to): Thread[] => {
      const strength = 1 - distance(from, to) / REACH;
      return strength > 0 ? [{ from, to, strength }] : [];
    }),
  );
  return { points, threads };
}
