import { expect, test } from 'vitest';
import { describeLocation, pageOf } from './location.ts';

test.each([
  [{ page: 7 }, 'p. 7', 'page 7'],
  [{ slide: 3 }, 'slide 3', 'slide 3'],
  [{ sheet: 'Rent', row: 18 }, 'Rent, row 18', 'Rent, row 18'],
  [{ line: 12 }, 'line 12', 'line 12'],
  [{ startMs: 252_000, endMs: 255_000 }, '04:12', 'at 04:12'],
  [{ path: 'papers/lease.txt', line: 3 }, 'lease.txt, line 3', 'papers/lease.txt, line 3'],
  [{ path: 'papers/lease.txt' }, 'lease.txt', 'papers/lease.txt'],
])('%j reads %s', (location, short, spoken) => {
  expect(describeLocation(location)).toEqual({ short, spoken });
});

test('only a paged file has a page to open', () => {
  expect(pageOf({ page: 7 })).toBe(7);
  expect(pageOf({ line: 7 })).toBeNull();
  expect(pageOf({ path: 'a.pdf', page: 7 })).toBeNull();
});
