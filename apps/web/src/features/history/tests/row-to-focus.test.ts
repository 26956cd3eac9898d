import { expect, test } from 'vitest';
import { rowToFocus } from '../history-rows.ts';

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 1, 2],
  ['ArrowUp', 1, 0],
  ['End', 0, 2],
  ['Home', 2, 0],
  ['ArrowUp', 0, null],
  ['ArrowDown', 2, null],
  ['a', 0, null],
])('%s at row %i of three moves to %s', (key, from, to) => {
  expect(rowToFocus(key, from, 3)).toBe(to);
});
