import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRows, type ParsedRow } from '../components/table-view.tsx';

const cellTexts = (lines: readonly string[], rows: readonly ParsedRow[]) =>
  rows.map(({ cells }, n) => cells.map(({ start, end }) => lines[n]!.slice(start, end)));

test('cells are under the names of the header row', () => {
  const lines = ['Name · City', 'Name: Ada · City: London', 'City: Paris'];
  const rows = parseRows(lines);
  expect(rows.map(({ isHeader }) => isHeader)).toEqual([true, false, false]);
  expect(rows[2]).toMatchObject({ names: ['Name', 'City'], cells: [{ column: 1 }] });
  expect(cellTexts(lines, rows)).toEqual([['Name', 'City'], ['Ada', 'London'], ['Paris']]);
});

test('a column without a name is first', () => {
  const lines = ['2024 · 2025', 'Rent · 2024: 10 · 2025: 12'];
  const rows = parseRows(lines);
  expect(rows[1]!.cells.map(({ column }) => column)).toEqual([-1, 0, 1]);
  expect(cellTexts(lines, rows)[1]).toEqual(['Rent', '10', '12']);
});

test('rows without a visible header contain their column names', () => {
  expect(parseRows(['Name: Ada · City: London', 'Name: Bo'])).toMatchObject([
    { names: ['Name', 'City'], isHeader: false },
    { names: ['Name', 'City'], isHeader: false },
  ]);
});

test('a second table has its own header', () => {
  const rows = parseRows(['A · B', 'A: 1 · B: 2', 'C · D', 'C: 3 · D: 4']);
  expect(rows.map(({ names }) => names?.join())).toEqual(['A,B', 'A,B', 'C,D', 'C,D']);
});

test('rows without any names are cells side by side', () => {
  expect(parseRows(['1 · 2', '3 · 4']).map(({ names, cells }) => [names, cells.length])).toEqual([
    [null, 2],
    [null, 2],
  ]);
});

test('every cell of a table is parsed', () => {
  const cell = fc.stringMatching(/^[a-z0-9][a-z0-9 :·.]{0,12}[a-z0-9]$/u);
  const table = fc.integer({ min: 2, max: 6 }).chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 8,
    }),
  );
  fc.assert(
    fc.property(table, (values) => {
      const names = values[0]!.map((_, n) => `Column ${n}`);
      const lines = [
        names.join(' · '),
        ...values.map((row) => row.map((value, n) => `${names[n]}: ${value}`).join(' · ')),
      ];
      expect(cellTexts(lines, parseRows(lines))).toEqual([names, ...values]);
    }),
  );
});

test('for any lines, cells are within them and in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ':', ' ', '·') })),
      (lines) => {
        const rows = parseRows(lines);
        expect(rows).toHaveLength(lines.length);
        rows.forEach(({ cells }, n) => {
          let last = 0;
          for (const { start, end } of cells) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThanOrEqual(start);
            last = end;
          }
          expect(last).toBeLessThanOrEqual(lines[n]!.length);
        });
      },
    ),
  );
});
