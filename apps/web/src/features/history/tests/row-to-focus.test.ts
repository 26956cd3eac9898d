import { expect, test } from 'vitest';
import { threadRow } from '../../../tests/search-server.test-setup.tsx';
import { historyRows, rowToFocus } from '../history-rows.ts';

// A heading, a question, a heading, two questions.
const rows = historyRows(
  [
    threadRow(1, { date: '2026-11-20T18:00:00Z' }),
    threadRow(2, { date: '2026-11-19T18:00:00Z' }),
    threadRow(3, { date: '2026-11-19T17:00:00Z' }),
  ],
  'America/Los_Angeles',
  new Date('2026-11-20T20:00:00Z'),
);

test.each([
  ['ArrowDown', 1, 3],
  ['ArrowDown', 3, 4],
  ['ArrowUp', 3, 1],
  ['End', 1, 4],
  ['Home', 4, 1],
  ['ArrowUp', 1, null],
  ['ArrowDown', 4, null],
  ['a', 1, null],
])('%s at row %i moves to %s, skipping headings', (key, from, to) => {
  expect(rowToFocus(key, from, rows)).toBe(to);
});
