/** Draws ranks from 0 on as often as words of that rank come (Zipf and Mandelbrot). */
export function zipf(ranks: number, random: () => number): () => number {
  const cumulated = new Float64Array(ranks);
  let total = 0;
  for (let rank = 0; rank < ranks; rank += 1) {
    total += 1 / (rank + 2.7) ** 1.05;
    cumulated[rank] = total;
  }
  return () => {
    const wanted = random() * total;
    let low = 0;
    for (let high = ranks - 1; low < high;) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A small generator of random numbers from 0 to 1 by Tommy Ettinger (public domain). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The value below which the share of the measured values lies, in milliseconds to two places. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
