/** Ranks of a match, best first. */
const PREFIX = 0;
const WORD_START = 1;
const WITHIN = 2;

const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The rank of a text for what was typed; null if it does not match. */
function fit(text: string, typed: string): number | null {
  const at = text.indexOf(typed);
  if (at === -1) return null;
  if (at === 0) return PREFIX;
  for (let from = at; from !== -1; from = text.indexOf(typed, from + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text.slice(from - 1, from))) return WORD_START;
  }
  return WITHIN;
}

/**
 * The items that contain what was typed: first those that begin with it, then those with a word that
 * does. Items of one rank keep their order.
 */
export function rank<T>(items: readonly T[], typed: string, textOf: (item: T) => string): T[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return [...items];
  return items
    .map((item) => ({ item, fits: fit(fold(textOf(item)), wanted) }))
    .filter((each): each is { item: T; fits: number } => each.fits !== null)
    .sort((a, b) => a.fits - b.fits)
    .map(({ item }) => item);
}
