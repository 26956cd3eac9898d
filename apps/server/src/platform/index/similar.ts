import type { IsLike } from './search-index.ts';

/** Terms that a misspelt one is taken for at most. */
const MOST_SIMILAR = 3;

/** The commonest terms that one may be a misspelling of; none where the term itself stands somewhere. */
export function similarTo(
  term: string,
  others: readonly { term: string; documents: number }[],
  isLike: IsLike,
): string[] {
  if (others.some((other) => other.term === term)) return [];
  return others
    .filter((other) => isLike(term, other.term))
    .toSorted((a, b) => b.documents - a.documents || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_SIMILAR)
    .map((other) => other.term);
}
