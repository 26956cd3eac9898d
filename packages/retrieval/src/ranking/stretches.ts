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

/** What beginning another stretch costs beside its room, so that what stands near is rather joined. */
const BEGINNING = 500;

/**
 * Stretches of neighbouring pieces that are worth much, at most `count` of them and of at most `room`
 * in length, in the order of the pieces: the best pieces one after the other, each by itself or
 * joined, with all between, to a stretch that is begun.
 */
export function chooseStretches(pieces: readonly Piece[], count: number, room: number): Stretch[] {
  const lengthOf = ({ first, last }: Stretch): number =>
    pieces
      .slice(first, last + 1)
      .reduce((sum, { length, gap }, i) => sum + length + (i === 0 ? 0 : (gap ?? Infinity)), 0);
  const taken = (stretches: readonly Stretch[]): number =>
    stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0);
  const cost = (stretches: readonly Stretch[]): number =>
    taken(stretches) + stretches.length * BEGINNING;
  const valueAt = (at: number): number => pieces[at]?.value ?? 0;
  let chosen: Stretch[] = [];
  for (const at of [...pieces.keys()].sort((a, b) => valueAt(b) - valueAt(a))) {
    if (chosen.some(({ first, last }) => first <= at && at <= last)) continue;
    const [cheapest] = [
      [...chosen, { first: at, last: at }],
      ...chosen.map((own) => joined(chosen, own, at)),
    ]
      .filter((stretches) => stretches.length <= count && taken(stretches) <= room)
      .sort((a, b) => cost(a) - cost(b));
    chosen = cheapest ?? chosen;
  }
  return chosen.sort((a, b) => a.first - b.first);
}

/** The stretches where one of them reaches up to a piece; those that it then holds are gone. */
function joined(chosen: readonly Stretch[], own: Stretch, at: number): Stretch[] {
  const whole = { first: Math.min(own.first, at), last: Math.max(own.last, at) };
  const isApart = ({ first, last }: Stretch): boolean => last < whole.first || first > whole.last;
  return [...chosen.filter(isApart), whole];
}
