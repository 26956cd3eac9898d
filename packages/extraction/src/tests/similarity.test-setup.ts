const normalized = (text: string): string => text.toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * How similar a phrase is to the best matching part of a text, 0 to 1: one minus the share of its
 * letters that must be changed, added or removed (P. Sellers, The theory and computation of
 * evolutionary distances, 1980). Case and white space do not count.
 */
export function similarity(text: string, phrase: string): number {
  const [source, target] = [normalized(text), normalized(phrase)];
  let previous: number[] = Array.from({ length: source.length + 1 }, () => 0);
  for (let row = 1; row <= target.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= source.length; column += 1) {
      const cost = target[row - 1] === source[column - 1] ? 0 : 1;
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
    }
    previous = current;
  }
  return 1 - previous.reduce((min, cost) => Math.min(min, cost), Infinity) / target.length;
}
