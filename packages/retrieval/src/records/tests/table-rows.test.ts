import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesIn } from '../../documents/lines.ts';
import { cellsOf, fieldOf, readTables } from '../table-rows.ts';

describe('fieldOf', () => {
  test.each([
    ['Total due: £438.00', { name: 'Total due', value: '£438.00' }],
    ['- 住所：東京', { name: '住所', value: '東京' }],
  ])('the label of a value is its name: %s', (line, field) => {
    expect(fieldOf(line)).toEqual(field);
  });

  test.each(['It rained all day.', 'We met at 10:30 in the hall.', 'https://example.org/a'])(
    'prose has no label: %s',
    (line) => {
      expect(fieldOf(line)).toEqual({ name: '', value: line });
    },
  );
});

describe('readTables', () => {
  test.each([
    '| Leg | Flight |\n| --- | --- |\n| Out | BA 552 |',
    'Leg\tFlight\nOut\tBA 552',
    'Leg      Flight\nOut      BA 552',
    'Leg · Flight\nLeg: Out · Flight: BA 552',
    'Leg: Out · Flight: BA 552',
  ])('cells are read under their column names: %j', (text) => {
    expect(readTables(linesIn(text))).toMatchObject([
      { names: ['Leg', 'Flight'], rows: [{ cells: ['Out', 'BA 552'] }] },
    ]);
  });

  test('a cell may contain the cell separator, and an empty cell stays empty', () => {
    const text = 'Name · City · Note\nName: Ada · Note: a · b: c\nCity: Rome';
    expect(readTables(linesIn(text))).toMatchObject([
      { rows: [{ cells: ['Ada', '', 'a · b: c'] }, { cells: ['', 'Rome', ''] }] },
    ]);
  });

  test('all rows of a table have as many cells as it has columns, whatever the text', () => {
    const piece = fc.constantFrom('a', '7', ': ', ' · ', '\t', '|', '  ', '\n', '---');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { names, rows } of readTables(linesIn(pieces.join('')))) {
          for (const { cells } of rows) expect(cells).toHaveLength(names.length);
        }
        expect(cellsOf(pieces.join(''))).not.toEqual([]);
      }),
    );
  });
});
