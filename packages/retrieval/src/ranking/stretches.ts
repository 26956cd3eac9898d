/** A piece that may be taken, such as a sentence. */
export interface Piece {
  /** What it takes of the room. */
  length: number;
  /** What is taken besides when it continues the piece before it; null where it cannot. */
  gap: number | null;
  /** What it is worth, at least 0. */
  value: number;
}

/** Pieces `first` to `last` of those handed in. */
export interface Stretch {
  first: number;
  last: number;
}

/** How finely room is counted: a state for each part. */
const STEPS = 500;

/**
 * The stretches of neighbouring pieces that are together worth most, at most `count` of them and of
 * at most `room` in length, in the order of the pieces. Exact but for lengths being rounded to a
 * part in 500 of the room: a knapsack by dynamic programming (Bellman 1957) over the pieces, whose
 * state is the stretches begun, the room taken and whether the last piece was.
 */
export function chooseStretches(pieces: readonly Piece[], count: number, room: number): Stretch[] {
  const step = room / STEPS;
  // A stretch's rounded length is off by a step at most.
  const width = Math.max(0, STEPS - count) + 1;
  const size = (count + 1) * width;
  const best = new Float64Array(size).fill(-Infinity);
  best[0] = 0;
  let open = new Float64Array(size).fill(-Infinity);
  let opened = new Float64Array(size);
  const steps: { begin: number; go: number; marks: Uint8Array }[] = [];
  let position = 0;
  for (const { length, gap, value } of pieces) {
    const before = Math.round(position / step);
    position += (gap ?? 0) + length;
    const begin = Math.ceil(length / step);
    const go = gap === null ? width : Math.round(position / step) - before;
    const marks = new Uint8Array(size);
    // The room taken is counted beside the place: a division for each would take most of the time.
    for (let at = 0, taken = 0; at < size; at += 1) {
      const fresh = at >= width && taken >= begin ? best[at - width - begin]! : -Infinity;
      const on = taken >= go ? open[at - go]! : -Infinity;
      if (on > fresh) {
        opened[at] = on + value;
        marks[at] = CONTINUES;
      } else opened[at] = fresh + value;
      taken = taken + 1 === width ? 0 : taken + 1;
    }
    for (let at = 0; at < size; at += 1) {
      const worth = opened[at]!;
      if (worth <= best[at]!) continue;
      best[at] = worth;
      marks[at]! |= TAKEN;
    }
    [open, opened] = [opened, open];
    steps.push({ begin, go, marks });
  }
  return readBack(steps, best.indexOf(Math.max(...best)), width);
}

const TAKEN = 1;
const CONTINUES = 2;

function readBack(
  steps: readonly { begin: number; go: number; marks: Uint8Array }[],
  from: number,
  width: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  let at = from;
  let last: number | null = null;
  for (let i = steps.length - 1; i >= 0; i -= 1) {
    const { begin, go, marks } = steps[i] ?? { begin: 0, go: 0, marks: new Uint8Array() };
    const mark = marks[at] ?? 0;
    if (last === null && (mark & TAKEN) === 0) continue;
    last ??= i;
    if ((mark & CONTINUES) !== 0) {
      at -= go;
    } else {
      at -= width + begin;
      stretches.unshift({ first: i, last });
      last = null;
    }
  }
  return stretches;
}
