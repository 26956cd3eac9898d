import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowRows } from '../components/text-view.tsx';

test('lines are rows with their numbers', () => {
  expect(windowRows('one\n\nthree', 5, 10)).toEqual({
    rows: [
      { start: 0, end: 4, line: 1 },
      { start: 4, end: 5, line: 2 },
      { start: 5, end: 10, line: 3 },
    ],
    quoteRow: 2,
    isCut: false,
  });
});

test('a long line becomes several rows, split at spaces and numbered once', () => {
  const text = 'word '.repeat(1000);
  const { rows } = windowRows(text, 0, 4);
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map((row) => row.line)).toEqual([1, ...rows.slice(1).map(() => null)]);
  for (const row of rows.slice(0, -1)) expect(text.slice(row.start, row.end)).toMatch(/ $/u);
});

test('only the surroundings of the quote in a very long text are shown', () => {
  const text = 'a line of text\n'.repeat(400_000);
  const start = 3_000_000;
  const { rows, quoteRow, isCut } = windowRows(text, start, start + 4);
  expect(isCut).toBe(true);
  expect(rows.length).toBeLessThan(300_000);
  expect(rows[quoteRow]!.start).toBeLessThanOrEqual(start);
  expect(rows[quoteRow]!.end).toBeGreaterThan(start);
  expect(rows[quoteRow]!.line).toBe(start / 15 + 1);
});

test('a very long line is cut too', () => {
  const { rows, quoteRow, isCut } = windowRows('x'.repeat(6_000_000), 5_000_000, 5_000_010);
  expect(isCut).toBe(true);
  expect(rows[0]!.line).toBeNull();
  expect(rows[quoteRow]!.start).toBeLessThanOrEqual(5_000_000);
  expect(rows[quoteRow]!.end).toBeGreaterThan(5_000_000);
});

test('rows contain the whole text in order, without gaps or split characters', () => {
  const text = fc
    .array(
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\n\n', '😀'.repeat(1500))),
    )
    .map((parts) => `${parts.join('')}.`);
  fc.assert(
    fc.property(text, fc.nat(), (text, offset) => {
      const start = offset % text.length;
      const { rows, quoteRow } = windowRows(text, start, start + 1);
      expect(rows.map((row) => text.slice(row.start, row.end)).join('')).toBe(text);
      for (const row of rows) expect(text.slice(row.start, row.end).isWellFormed()).toBe(true);
      expect(rows[quoteRow]!.start).toBeLessThanOrEqual(start);
      expect(rows[quoteRow]!.end).toBeGreaterThan(start);
    }),
    { numRuns: 50 },
  );
});

test('an empty text has no rows', () => {
  expect(windowRows('', 0, 0)).toEqual({ rows: [], quoteRow: 0, isCut: false });
});
