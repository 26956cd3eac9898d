const collapsed = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * How similar a phrase is to the best matching part of a text, 0 to 1: one minus the share of its
 * letters that must be changed, added or removed (P. Sellers, The theory and computation of
 * evolutionary distances, 1980). Case and white space do not count.
 */
export function similarity(text: string, phrase: string): number {
  const [within, wanted] = [collapsed(text), collapsed(phrase)];
  let before: number[] = Array.from({ length: within.length + 1 }, () => 0);
  for (let row = 1; row <= wanted.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= within.length; column += 1) {
      const same = wanted[row - 1] === within[column - 1] ? 0 : 1;
      current[column] = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + same,
      );
    }
    before = current;
  }
  return 1 - before.reduce((least, cost) => Math.min(least, cost), Infinity) / wanted.length;
}
