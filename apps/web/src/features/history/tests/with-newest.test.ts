import fc from 'fast-check';
import { expect, test } from 'vitest';
import { threadRow } from '../../../tests/search-server.test-setup.tsx';
import type { HistoryPage, HistoryPages } from '../history-pages.ts';
import { withNewest } from '../use-history-list.ts';

/** Entry n was asked n minutes after a moment. */
const asked = (n: number) =>
  threadRow(n, { date: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString() });
const page = (ns: readonly number[], more: boolean, total = 99): HistoryPage => ({
  entries: ns.map(asked),
  nextCursor: more ? 'more' : null,
  total,
});
const pages = (...all: HistoryPage[]): HistoryPages => ({
  pages: all,
  pageParams: all.map((_, i) => (i === 0 ? null : 'more')),
});
const shown = ({ pages: all }: HistoryPages): string[] =>
  all.flatMap(({ entries }) => entries.map(({ searchText }) => searchText));
const questions = (...ns: number[]) => ns.map((n) => `Question ${n}`);

test('new questions come on top, once, and what is below stays', () => {
  const known = pages(page([6, 5, 4], true), page([3, 2, 1], true, 6));
  const merged = withNewest(known, page([8, 7, 6], true, 8));
  expect(shown(merged)).toEqual(questions(8, 7, 6, 5, 4, 3, 2, 1));
  expect(merged.pages[0]?.total).toBe(8);
  expect(merged.pages.at(-1)?.nextCursor).toBe('more');
  expect(merged.pageParams).toEqual(known.pageParams);
});

test('what has left the newest page, as an archived question does, is gone', () => {
  const known = pages(page([6, 5, 4], true), page([3, 2], false));
  expect(shown(withNewest(known, page([6, 4, 3], true)))).toEqual(questions(6, 4, 3, 2));
});

test('where questions in between are missing, the list begins anew', () => {
  const known = pages(page([3, 2, 1], false));
  const newest = page([9, 8, 7], true);
  expect(withNewest(known, newest)).toEqual({ pages: [newest], pageParams: [null] });
});

test('a list that fits on one page is that page', () => {
  const newest = page([3, 1], false);
  expect(withNewest(pages(page([3, 2, 1], true)), newest).pages).toEqual([newest]);
});

test('however much is new, the list is a beginning of the true one, without gap or twin', () => {
  const numbers = fc.record({
    size: fc.integer({ min: 1, max: 6 }),
    before: fc.integer({ min: 1, max: 30 }),
    read: fc.integer({ min: 1, max: 5 }),
    more: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(numbers, ({ size, before, read, more }) => {
      const all = (count: number) => Array.from({ length: count }, (_, i) => count - i);
      const cut = (count: number, at: number) => {
        const ns = all(count).slice(at * size, (at + 1) * size);
        return page(ns, count > (at + 1) * size);
      };
      const count = Math.min(read, Math.ceil(before / size));
      const known = pages(...Array.from({ length: count }, (_, at) => cut(before, at)));
      const merged = withNewest(known, cut(before + more, 0));
      const truth = questions(...all(before + more));
      expect(shown(merged)).toEqual(truth.slice(0, shown(merged).length));
      const isWhole = shown(merged).length === truth.length;
      expect(merged.pages.at(-1)?.nextCursor === null).toBe(isWhole);
    }),
  );
});
