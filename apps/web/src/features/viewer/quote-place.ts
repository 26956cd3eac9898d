/** Offsets of a stretch of text, in UTF-16 units; the end does not belong to it. */
export type Stretch = readonly [start: number, end: number];

/** A quote, and where it stood when it was cited. */
interface Quote {
  quote: string;
  start: number;
  end: number;
}

/** Where a quote stands now: where it was cited, or, in a text that was read anew, where it is found. */
export function findQuote(text: string, { quote, start, end }: Quote): Stretch | null {
  if (text.slice(start, end) === quote) return [start, end];
  const at = text.indexOf(quote);
  return at === -1 ? null : [at, at + quote.length];
}

/** Whether two stretches have a character in common. */
export const overlaps = ([start, end]: Stretch, other: Stretch): boolean =>
  start < other[1] && end > other[0];
