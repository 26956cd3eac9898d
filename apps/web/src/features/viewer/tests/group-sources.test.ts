import type { Citation } from '@engram/contract';
import { expect, test } from 'vitest';
import { groupSources } from '../group-sources.ts';

const source = (n: number, fileName: string, quote: string, start = 0): Citation => ({
  n,
  artifactId: fileName,
  fileName,
  path: null,
  location: { line: 1 },
  quote,
  start,
  end: start + quote.length,
});

test('sources stand by file, in the order in which files are cited', () => {
  const files = groupSources([
    source(1, 'b.txt', 'one'),
    source(2, 'a.txt', 'two'),
    source(3, 'b.txt', 'three', 20),
  ]);
  expect(files.map(({ fileName, places }) => [fileName, places.map((p) => p.numbers)])).toEqual([
    ['b.txt', [[1], [3]]],
    ['a.txt', [[2]]],
  ]);
});

test('a quote that is cited twice stands once, with both numbers', () => {
  const [file] = groupSources([
    source(1, 'a.txt', 'one'),
    source(2, 'a.txt', 'one'),
    source(3, 'a.txt', 'one', 40),
  ]);
  expect(file?.places.map(({ numbers }) => numbers)).toEqual([[1, 2], [3]]);
});
