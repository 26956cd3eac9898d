import type { Keyword } from '@engram/contract';
import { isSameKeyword, keywordKey } from '../../artifacts/keywords.ts';

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

export const sameKeyword = (keywords: readonly Keyword[], typed: string): Keyword | undefined =>
  keywords.find(({ keyword }) => isSameKeyword(keyword, typed));

export const matchingKeywords = (keywords: readonly Keyword[], typed: string): Keyword[] =>
  keywords.filter(({ keyword }) => keywordKey(keyword).includes(keywordKey(typed)));

const names = new Intl.Collator(undefined, { numeric: true });

export function sortKeywords(
  keywords: readonly Keyword[],
  order: SortOrder,
  filesOf: (keyword: Keyword) => number,
): Keyword[] {
  const byName = (a: Keyword, b: Keyword): number => names.compare(a.keyword, b.keyword);
  const createdAt = ({ createdDate }: Keyword): number => Date.parse(createdDate);
  const orders: Record<SortOrder, (a: Keyword, b: Keyword) => number> = {
    'name-up': byName,
    'name-down': (a, b) => byName(b, a),
    newest: (a, b) => createdAt(b) - createdAt(a),
    oldest: (a, b) => createdAt(a) - createdAt(b),
    files: (a, b) => filesOf(b) - filesOf(a),
  };
  return keywords.toSorted((a, b) => orders[order](a, b) || byName(a, b));
}
