import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsAt } from '../fields.ts';

const at = (text: string, line: string): ReturnType<typeof fieldsAt> => {
  const start = text.indexOf(line);
  return fieldsAt(text, start, start + line.length);
};

describe('fieldsAt', () => {
  test('a labelled value', () => {
    expect(at('Total due: £438.00', 'Total due: £438.00')).toEqual([
      { name: 'Total due', value: '£438.00' },
    ]);
    expect(at('- 住所：東京', '- 住所：東京')).toEqual([{ name: '住所', value: '東京' }]);
  });

  test('cells that bring their names', () => {
    expect(at('City: Rome · Days: 3', 'City: Rome · Days: 3')).toEqual([
      { name: 'City', value: 'Rome' },
      { name: 'Days', value: '3' },
    ]);
  });

  test.each([
    ['| Leg | Flight |\n| --- | --- |\n| Out | BA 552 |', '| Out | BA 552 |'],
    ['Leg\tFlight\nOut\tBA 552', 'Out\tBA 552'],
    ['Leg      Flight\nHome     BA 559\nOut      BA 552', 'Out      BA 552'],
  ])('cells under a line of names: %j', (text, line) => {
    expect(at(text, line)).toEqual([
      { name: 'Leg', value: 'Out' },
      { name: 'Flight', value: 'BA 552' },
    ]);
  });

  test.each(['It rained all day.', 'We met at 10:30 in the hall.', 'https://example.org/a'])(
    'prose has none: %s',
    (line) => {
      expect(at(line, line)).toEqual([]);
    },
  );

  test('any text is read without fail, and values stand in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const { value } of fieldsAt(text, 0, text.length)) expect(text).toContain(value);
      }),
    );
  });
});
