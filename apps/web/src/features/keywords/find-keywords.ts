import type { Keyword } from '@engram/contract';

/** What the keywords can be sorted by, with the words for it. */
export const sortOrders = {
  'name-up': 'Name A-Z',
  'name-down': 'Name Z-A',
  newest: 'Newest first',
  oldest: 'Oldest first',
  files: 'Most files',
} as const;
export type SortOrder = keyof typeof sortOrders;

export const isSortOrder = (value: string | null): value is SortOrder =>
  value !== null && Object.hasOwn(sortOrders, value);

/** What makes keywords the same on the server: case does not count, nor how accents are encoded. */
const keyOf = (word: string): string => word.normalize('NFC').toLowerCase();

/** The keyword that a typed word already is. */
export function sameKeyword(keywords: readonly Keyword[], typed: string): Keyword | undefined {
  const key = keyOf(typed.trim());
  return keywords.find(({ keyword }) => keyOf(keyword) === key);
}

/** The keywords with the typed text in them. */
export function matchingKeywords(keywords: readonly Keyword[], typed: string): Keyword[] {
  const part = keyOf(typed.trim());
  return keywords.filter(({ keyword }) => keyOf(keyword).includes(part));
}

const names = new Intl.Collator(undefined, { numeric: true });

/** Sorted anew; where the order leaves two alike, by name. */
export function sortKeywords(
  keywords: readonly Keyword[],
  order: SortOrder,
  filesOf: (keyword: Keyword) => number,
): Keyword[] {
  const byName = (a: Keyword, b: Keyword): number => names.compare(a.keyword, b.keyword);
  const madeAt = ({ createdDate }: Keyword): number => Date.parse(createdDate);
  const orders: Record<SortOrder, (a: Keyword, b: Keyword) => number> = {
    'name-up': byName,
    'name-down': (a, b) => byName(b, a),
    newest: (a, b) => madeAt(b) - madeAt(a),
    oldest: (a, b) => madeAt(a) - madeAt(b),
    files: (a, b) => filesOf(b) - filesOf(a),
  };
  return keywords.toSorted((a, b) => orders[order](a, b) || byName(a, b));
}
