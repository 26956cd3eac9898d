import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesIn } from '../../documents/lines.ts';
import { cellsOf, fieldOf, readTables } from '../table-rows.ts';

describe('fieldOf', () => {
  test.each([
    ['Total due: £438.00', { name: 'Total due', value: '£438.00' }],
    ['- 住所：東京', { name: '住所', value: '東京' }],
  ])('The label of a value is its name: %s', (line, field) => {
    expect(fieldOf(line)).toEqual(field);
  });

  test.each(['It rained all day.', 'We met at 10:30 in the hall.', 'https://example.org/a'])(
    'Prose has no label: %s',
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
  ])('Cells are read under the names of their columns: %j', (text) => {
    expect(readTables(linesIn(text))).toMatchObject([
      { names: ['Leg', 'Flight'], rows: [{ cells: ['Out', 'BA 552'] }] },
    ]);
  });

  test('A cell keeps the sign that parts cells, and an empty one stays empty.', () => {
    const text = 'Name · City · Note\nName: Ada · Note: a · b: c\nCity: Rome';
    expect(readTables(linesIn(text))).toMatchObject([
      { rows: [{ cells: ['Ada', '', 'a · b: c'] }, { cells: ['', 'Rome', ''] }] },
    ]);
  });

  test('All rows of a table have as many cells as it has names, whatever the text.', () => {
    const sign = fc.constantFrom('a', '7', ': ', ' · ', '\t', '|', '  ', '\n', '---');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        for (const { names, rows } of readTables(linesIn(signs.join('')))) {
          for (const { cells } of rows) expect(cells).toHaveLength(names.length);
        }
        expect(cellsOf(signs.join(''))).not.toEqual([]);
      }),
    );
  });
});
