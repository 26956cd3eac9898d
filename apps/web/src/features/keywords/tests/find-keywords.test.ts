import { expect, test } from 'vitest';
import { aKeyword } from '../../../tests/factories.test-setup.ts';
import { matchingKeywords, sameKeyword, sortKeywords, type SortOrder } from '../find-keywords.ts';

const keywords = [
  aKeyword('Work', { createdDate: '2026-01-01T00:00:00Z' }),
  aKeyword('Ärzte', { createdDate: '2026-03-01T00:00:00Z' }),
  aKeyword('tax10', { createdDate: '2026-02-01T00:00:00Z' }),
  aKeyword('Tax9', { createdDate: '2026-04-01T00:00:00Z' }),
];
const files: Record<string, number> = { Work: 2, Ärzte: 7, Tax9: 2 };

test.each<[SortOrder, string]>([
  ['name-up', 'Ärzte Tax9 tax10 Work'],
  ['name-down', 'Work tax10 Tax9 Ärzte'],
  ['newest', 'Tax9 Ärzte tax10 Work'],
  ['oldest', 'Work tax10 Ärzte Tax9'],
  ['files', 'Ärzte Tax9 Work tax10'],
])('keywords sorted by %s are %s', (order, sorted) => {
  const names = sortKeywords(keywords, order, ({ keyword }) => files[keyword] ?? 0);
  expect(names.map(({ keyword }) => keyword).join(' ')).toBe(sorted);
});

test.each([
  ['work', 'Work'],
  [' ÄRZTE ', 'Ärzte'],
  ['a\u0308rzte', 'Ärzte'],
  ['tax', undefined],
  ['', undefined],
])('%j finds the keyword %s', (typed, keyword) => {
  expect(sameKeyword(keywords, typed)?.keyword).toBe(keyword);
});

test('letters find the keywords that contain them, regardless of case and Unicode normalization', () => {
  const found = (typed: string) => matchingKeywords(keywords, typed).map(({ keyword }) => keyword);
  expect(found('TAX')).toEqual(['tax10', 'Tax9']);
  expect(found('a\u0308r')).toEqual(['Ärzte']);
  expect(found(' ')).toHaveLength(4);
});
