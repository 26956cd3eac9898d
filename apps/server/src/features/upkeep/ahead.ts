/** How many are under way: over a network most of the time is waiting. */
const AT_ONCE = 4;

/**
 * Does work for each of some items, a few at a time, and answers what came of it in their order. Ends
 * once nothing is under way any more, also where whoever asks has enough.
 */
export async function* ahead<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const begun = work(item);
      // It is told when it is its turn, which may come after it has failed.
      begun.catch(() => undefined);
      underWay.push(begun);
      const [first] = underWay;
      if (underWay.length < AT_ONCE || first === undefined) continue;
      yield await first;
      underWay.shift();
    }
    for (const rest of underWay) yield await rest;
  } finally {
    await Promise.allSettled(underWay);
  }
}
