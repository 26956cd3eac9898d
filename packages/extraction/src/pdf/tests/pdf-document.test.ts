import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNotes } from '../annotations.ts';
import { createVocabulary, joinLines } from '../hyphens.ts';
import { linesOf, type PdfLine } from '../lines.ts';
import { titleKey } from '../outline.ts';
import { isGarbage, isPicture } from '../pictures.ts';
import { rebuildPdf } from '../recovery.ts';
import { createHeaderFinder } from '../headers-and-footers.ts';

const page = (...lines: [text: string, y: number][]): PdfLine[] =>
  linesOf(
    lines.map(([str, y]) => ({ str, transform: [10, 0, 0, 10, 50, y], width: str.length * 5 })),
  );

test('hyphenated line breaks are joined, and words with a hyphen keep it', () => {
  const words = createVocabulary();
  words.add(['a short-term loan, an encoder that is dual, and the rest']);
  const lines = [
    'the mason-',
    'ry of a short-',
    'term loan, a dual-',
    'encoder and pre-',
    '2020 walls of so\u00ad',
    'lid rock',
  ];
  expect(joinLines(lines, words)).toBe(
    'the masonry\nof a short-term\nloan, a dual-encoder\nand pre-\n2020 walls of solid\nrock',
  );
});

test('joining lines changes only white space and hyphens', () => {
  const lettersOf = (text: string): string => text.replace(/[\s-]+/gu, '');
  const line = fc.stringMatching(/^[a-z]{1,8}( [a-z,.]{1,6}){0,3}-?$/);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const words = createVocabulary();
      words.add(lines);
      expect(lettersOf(joinLines(lines, words))).toBe(lettersOf(lines.join('\n')));
    }),
  );
});

test('headers and footers are detected and written once', () => {
  const running = createHeaderFinder(5);
  for (let number = 1; number <= 5; number += 1) {
    running.add(
      number,
      page(
        ['Annual Report', 780],
        [`Exhibit ${number * 2}`, 768],
        ...[700, 688, 676, 664].map((y): [string, number] => [`Text ${'abcde'[number - 1]}`, y]),
        [`${number + 4}`, 20],
      ),
    );
  }
  const textsOf = (number: number): Record<string, string[]> => {
    const { first, repeated } = running.of(number);
    return { first: first.map(({ text }) => text), repeated: repeated.map(({ text }) => text) };
  };
  expect(textsOf(1)).toEqual({ first: ['Annual Report', 'Exhibit 2'], repeated: ['5'] });
  expect(textsOf(2)).toEqual({ first: ['Exhibit 4'], repeated: ['Annual Report', '6'] });
});

test.each([
  ['Invoice #', 1000, false],
  ['Invoice 2026-#\tPage 3', 1000, false],
  ['Order #\tPage 3', 1000, false],
  ['Daily report, # June', 0, false],
  ['Heron Ltd\t#', 0, true],
  ['Heron Ltd – Page # of 5', 0, true],
  ['Heron Ltd | Seite # von 5', 0, true],
  ['#\tHeron Ltd', 300, true],
  ['季報 第#頁', 0, true],
])('with the header %s, numbered from %i, only page numbers are left out', (text, from, isPage) => {
  const running = createHeaderFinder(5);
  const firstHeaders: string[] = [];
  const numbers = [1, 2, 3, 4, 5];
  for (const number of numbers) {
    const [cell = '', other] = text.replace('#', `${from + number}`).split('\t');
    const items = [cell, other ?? ''].map((str, index) => ({
      str,
      transform: [10, 0, 0, 10, 50 + index * 300, 780],
      width: str.length * 5,
    }));
    const body = [700, 688, 676].map((y): [string, number] => [`Text ${'abcde'[number - 1]}`, y]);
    running.add(number, [...linesOf(items), ...page(...body)]);
  }
  for (const number of numbers) {
    firstHeaders.push(...running.of(number).first.map((line) => line.text));
  }
  const headers = numbers.map((number) => text.replace('#', `${from + number}`));
  expect(firstHeaders).toEqual(isPage ? headers.slice(0, 1) : headers);
});

test('a page is treated as a picture if it has little or no text', () => {
  const show = { pictures: 0, glyphs: 0, hidden: 0, shapes: 0 };
  expect(isPicture(0, show)).toBe(false);
  expect(isPicture(0, { ...show, pictures: 0.3 })).toBe(true);
  expect(isPicture(0, { ...show, glyphs: 900 })).toBe(true);
  expect(isPicture(0, { ...show, shapes: 2000 })).toBe(true);
  expect(isPicture(40, { ...show, glyphs: 40, pictures: 0.1 })).toBe(false);
  expect(isPicture(40, { ...show, glyphs: 40, pictures: 1 })).toBe(true);
  expect(isPicture(40, { ...show, glyphs: 40, hidden: 40, pictures: 1 })).toBe(false);
  expect(isPicture(4000, { ...show, glyphs: 4000, pictures: 1 })).toBe(false);
});

test('meaningless characters are not text', () => {
  expect(isGarbage('\ue001\ue002\ue003 \ufffd\ufffd \u0003\u0004')).toBe(true);
  expect(isGarbage('Ordinary \uf0b7 text with a bullet, 東京, שלום')).toBe(false);
  expect(isGarbage('')).toBe(false);
});

test('form fields have their selected values, except passwords', () => {
  const widget = { subtype: 'Widget' };
  const options = [{ exportValue: 'n1', displayValue: 'North 1' }];
  const { fields } = readNotes([
    {
      ...widget,
      fieldType: 'Tx',
      alternativeText: 'Boat:',
      fieldName: 'b',
      fieldValue: 'Marigold',
    },
    { ...widget, fieldType: 'Tx', fieldName: 'pin', fieldValue: '1234', password: true },
    { ...widget, fieldType: 'Tx', fieldName: 'empty', fieldValue: ' ' },
    { ...widget, fieldType: 'Ch', fieldName: 'berth', fieldValue: ['n1'], options },
    {
      ...widget,
      fieldType: 'Btn',
      fieldName: 'sold',
      checkBox: true,
      fieldValue: 'Off',
      exportValue: 'Yes',
    },
    {
      ...widget,
      fieldType: 'Btn',
      fieldName: 'insured',
      checkBox: true,
      fieldValue: 'Yes',
      exportValue: 'Yes',
    },
    {
      ...widget,
      fieldType: 'Btn',
      fieldName: 'drive',
      radioButton: true,
      fieldValue: 'sail',
      buttonValue: 'sail',
    },
    {
      ...widget,
      fieldType: 'Btn',
      fieldName: 'drive',
      radioButton: true,
      fieldValue: 'sail',
      buttonValue: 'motor',
    },
  ]);
  expect(fields).toEqual(['Boat: Marigold', 'berth: North 1', 'insured: Yes', 'drive: sail']);
});

test('titles match regardless of numbering and white space', () => {
  expect(titleKey('2.1  Net Sales')).toBe(titleKey('Net sales'));
  expect(titleKey('Chapter IV: The End')).toBe(titleKey('The End'));
  expect(titleKey('Notes')).not.toBe(titleKey('Note'));
});

test('a file without pages is not repaired, and no input makes the repair fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(rebuildPdf(bytes)).toBeNull();
    }),
  );
  const encrypted = '1 0 obj<</Type/Page/Contents 2 0 R>>endobj 3 0 obj<</Filter/Standard>>endobj';
  expect(rebuildPdf(Buffer.from(encrypted))).toBeNull();
});

test('unclosed streams are searched once', () => {
  const content = deflateSync('5 0 ').toString('latin1') + ' '.repeat(200);
  const stream = (number: number): string =>
    `${number} 0 obj <</Type/ObjStm/N 1/First 4/Filter/FlateDecode>> stream\n${content}\n`;
  const objects = Array.from({ length: 40_000 }, (_, index) => stream(index + 2)).join('');
  const page = '1 0 obj <</Type/Page>> endobj\n';
  const file = Buffer.from(`%PDF-1.5\n${page}${objects}`, 'latin1');
  const rebuilt = rebuildPdf(file);
  expect(Buffer.from(rebuilt?.bytes ?? []).toString('latin1')).toContain('/Kids[1 0 R]');
});
