import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, bodySizeOf, createSizeCount } from '../blocks.ts';
import { gatherCells, inReadingOrder, untangleColumns } from '../columns.ts';
import { createVocabulary } from '../hyphens.ts';
import { linesOf, type PdfItem } from '../lines.ts';
import { titleKey } from '../outline.ts';

const style = { bodySize: 10, bookmarks: [], running: new Set<never>(), words: createVocabulary() };

const item = (str: string, x: number, y: number, size = 10, fontName = 'body'): PdfItem => ({
  str,
  transform: [size, 0, 0, size, x, y],
  width: str.length * size * 0.5,
  fontName,
});

const texts = (items: PdfItem[]): string[] =>
  inReadingOrder(linesOf(items)).map((line) => line.text);

test('pieces on one baseline form one line, and wide gaps separate its cells', () => {
  const lines = linesOf([
    item('Net', 50, 700),
    item('sales', 70, 700),
    item('3,909', 300, 700),
    item('2', 325, 704, 6),
    item('Cost of sales', 50, 686),
  ]);
  expect(lines.map((line) => line.text)).toEqual(['Net sales\t3,9092', 'Cost of sales']);
});

test('a justified line is not a table row, but a row of years is', () => {
  const justified = [item('known', 50, 700), item('as', 100, 700), item('another', 135, 700)];
  const years = [item('2017', 50, 680), item('2018', 100, 680), item('2019', 150, 680)];
  expect(linesOf([...justified, ...years]).map((line) => line.text)).toEqual([
    'known as another',
    '2017\t2018\t2019',
  ]);
});

test('text drawn twice is read once, repeated text is kept', () => {
  const word = [item('Total', 50, 700), item('Total', 50.3, 700), item('due', 80, 700)];
  const line = ['Net', 'sum', 'Net', 'sum'].map((text, index) =>
    item(text, index % 2 === 0 ? 50 : 70, index < 2 ? 680 : 679.7),
  );
  const items = [item('no', 50, 660), item('no', 62, 660), item('no', 50, 640)];
  expect(linesOf([...word, ...line, ...items]).map(({ text }) => text)).toEqual([
    'Total due',
    'Net sum',
    'no no',
    'no',
  ]);
});

test('right-to-left text keeps its order, and foreign words keep their spaces', () => {
  const lines = linesOf([item('שלום', 180, 700), item('Python', 150, 700), item('עולם', 120, 700)]);
  expect(lines.map((line) => line.text)).toEqual(['שלום Python עולם']);
});

test('the Arabic article before a hamza has its letters in order', () => {
  expect(texts([item('من األدوات اإلنتاجية', 50, 700)])).toEqual(['من الأدوات الإنتاجية']);
});

test('ligatures are split into letters, even if a font does not name them', () => {
  const nameless = { ...item('\0', 80, 680), width: 8.5 };
  const checkbox = { ...item('\0', 80, 660), width: 8.5 };
  expect(
    texts([
      item('ﬁnancial oﬀice', 50, 700),
      item('di', 70, 680),
      nameless,
      item('cult', 88.5, 680),
      item('Filer ', 50, 660),
      checkbox,
      item('Non-filer', 90, 660),
    ]),
  ).toEqual(['financial office', 'difficult', 'Filer Non-filer']);
});

test('a skewed line of a scan is one line, and an axis label is read last', () => {
  const askew = (str: string, y: number): PdfItem => {
    return { ...item(str, 50, y), transform: [10, 0.1, -0.1, 10, 50, y] };
  };
  const label = { ...item('Tonnes', 30, 500), transform: [0, 10, -10, 0, 30, 500] };
  const lines = inReadingOrder(linesOf([askew('one', 700), label, askew('two', 688)]));
  expect(lines.map(({ text, angle }) => [text, angle])).toEqual([
    ['one', 0],
    ['two', 0],
    ['Tonnes', 90],
  ]);
});

test('a table is read by row, in whatever order its cells are drawn', () => {
  const header = [
    item('Gross', 200, 700),
    item('amount', 200, 688),
    item('Net', 300, 700),
    item('amount', 300, 688),
    item('Useful', 400, 700),
    item('life', 400, 688),
  ];
  const names = ['Boats', 'Nets', 'Ropes'].map((name, index) => item(name, 50, 640 - index * 12));
  const sums = ['1,200', '310', '95'].map((sum, index) => item(sum, 200, 640 - index * 12));
  expect(texts([...header, item('What the harbour master owns in all', 50, 660)])[0]).toBe(
    'Gross amount\tNet amount\tUseful life',
  );
  expect(texts([...names, ...sums])).toEqual(['Boats\t1,200', 'Nets\t310', 'Ropes\t95']);
});

const row = fc.record({
  left: fc.integer({ min: 20, max: 500 }),
  y: fc.integer({ min: 20, max: 700 }),
});

test('no word is lost or invented, whatever the positions', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.boolean(), (places, turned) => {
      const items = places.map(({ left, y }, index) => {
        const piece = item(`word${index} is here`, left, y);
        return turned ? { ...piece, transform: [0, 10, -10, 0, y, left] } : piece;
      });
      // Adjacent pieces form one word, because a word may be drawn in several pieces.
      const words = (lines: string[]): string[] =>
        lines
          .join(' ')
          .split(/\s+|(?<=here)(?=word)/u)
          .toSorted();
      expect(words(texts(items))).toEqual(words(items.map(({ str }) => str)));
    }),
  );
});

test('ordered lines stay in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), (count) => {
      const items = Array.from({ length: count }, (_, index) =>
        item(`line number ${index} of a page with one column`, 50, 780 - index * 14),
      );
      const lines = linesOf(items);
      expect(gatherCells(untangleColumns(lines))).toEqual(lines);
    }),
  );
});

test('a paragraph ends at a gap, an indent and a short last line', () => {
  const full = 'This line is filled with words up to its right edge,';
  const lines = linesOf([
    item(full, 50, 700),
    item('and ends.', 50, 688),
    item(full, 50, 676),
    item(full.replace(',', '.'), 50, 664),
    item(full, 65, 652),
    item(full, 50, 640),
    item('Far below.', 50, 600),
  ]);
  const counts = blocksOf(lines, style).map((block) => block.text.split('\n').length);
  expect(counts).toEqual([2, 2, 2, 1]);
});

test('a sentence that continues in the next column is one paragraph', () => {
  const lines = linesOf([
    item('At the foot of the first column it', 50, 100),
    item('goes on at the head of the second.', 320, 700),
    item('Another column begins anew.', 320, 688),
  ]);
  expect(blocksOf(untangleColumns(lines), style)[0]?.text).toContain('it\ngoes on');
});

test('headings are detected by size, by font and by the bookmarks that point to them', () => {
  const bookmarks = [
    { key: titleKey('2 Method'), depth: 1, top: 662 },
    { key: titleKey('Summary'), depth: 2, top: 100 },
  ];
  const lines = linesOf([
    item('A Large Title', 50, 740, 18, 'bold'),
    item('Summary', 50, 700, 10, 'bold'),
    item('The body of the text is much longer than its title is.', 50, 688),
    item('2 Method', 50, 650),
    item('More of the body of the text, and quite long as well.', 50, 638),
    item('Method', 50, 600),
  ]);
  const headings = blocksOf(lines, { ...style, bookmarks }).filter(
    ({ kind }) => kind === 'heading',
  );
  expect(headings.map(({ text, level }) => [text, level])).toEqual([
    ['A Large Title', 964],
    ['Summary', 2],
    ['2 Method', 1],
  ]);
});

test('headers and footers are never headings', () => {
  const lines = linesOf([
    item('Annual Report', 50, 780, 14),
    item('The body of the text is much longer than its title is.', 50, 740),
  ]);
  const running = new Set(lines.slice(0, 1));
  expect(blocksOf(lines, { ...style, running })[0]).toMatchObject({ kind: 'prose' });
});

test('the body text size is that of prose, not of figures in tables', () => {
  const prose = Array.from({ length: 6 }, (_, index) =>
    item('A line of prose that is long enough to be one.', 50, 700 - index * 12, 11),
  );
  const table = Array.from({ length: 60 }, (_, index) => [
    item('Berth', 50, 600 - index * 9, 8),
    item('1,200.50', 300, 600 - index * 9, 8),
  ]).flat();
  const lines = linesOf([...prose, ...table]);
  const sizes = createSizeCount();
  sizes.add(lines);
  expect(sizes.usual()).toBe(11);
  expect(bodySizeOf(lines, 9)).toBe(11);
  expect(bodySizeOf(lines.slice(6), 9)).toBe(9);
});
