import { utils, type WorkBook, write } from '@e965/xlsx';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { extract, type Extraction, type FileType } from '../../index.ts';
import {
  P,
  pack,
  paragraph,
  relations,
  shape,
  slide,
  W,
  wordFile,
} from './office-files.test-setup.ts';

const read = (bytes: Uint8Array, type: FileType): Promise<Extraction> =>
  extract({ bytes, fileName: `a.${type}`, type });

const linesOf = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, headings }) => [...headings, text.slice(start, end)].join(' | '));

test('Word: insertions, text boxes, content controls and links are read, and deletions are not', async () => {
  const body = [
    '<w:p><w:r><w:t xml:space="preserve">Rent: </w:t></w:r><w:del><w:r><w:delText>400</w:delText></w:r></w:del><w:ins><w:r><w:t>412 euros</w:t></w:r></w:ins></w:p>',
    `<w:sdt><w:sdtContent>${paragraph('From a content control.')}</w:sdtContent></w:sdt>`,
    '<w:p><w:hyperlink w:anchor="x"><w:r><w:t>A linked text</w:t></w:r></w:hyperlink></w:p>',
    `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx><w:txbxContent>${paragraph('In a new box.')}</w:txbxContent></wps:txbx></wps:wsp></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>`,
  ].join('');
  const comments = `<w:comments ${W}><w:comment w:id="1" w:author="Ida">${paragraph('Ask first.')}</w:comment></w:comments>`;
  const footer = `<w:ftr ${W}>${paragraph('Draft of May')}</w:ftr>`;
  const extraction = await read(
    wordFile(body, {
      'word/comments.xml': comments,
      'word/footer1.xml': footer,
      'word/footer2.xml': footer,
      'word/footer3.xml': `<w:ftr ${W}>${paragraph('3')}</w:ftr>`,
    }),
    'docx',
  );
  expect(linesOf(extraction)).toEqual([
    'Rent: 412 euros',
    'From a content control.',
    'A linked text',
    'In a new box.',
    'Draft of May',
    'Comments',
    'Comments | Ida: Ask first.',
  ]);
});

test('Word: a nested table keeps all its text, and a merged value is repeated in each row it covers', async () => {
  const cell = (content: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
  const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
  const merged = `<w:tbl>${[
    row(cell(paragraph('Region')), cell(paragraph('Month')), cell(paragraph('Sum'))),
    row(
      cell(paragraph('North'), '<w:vMerge w:val="restart"/>'),
      cell(paragraph('May')),
      cell(paragraph('12')),
    ),
    row(cell(paragraph(''), '<w:vMerge/>'), cell(paragraph('June')), cell(paragraph('15'))),
  ].join('')}</w:tbl>`;
  const nested = `<w:tbl>${row(cell(paragraph('Outer')), cell(`<w:tbl>${row(cell(paragraph('Inner one')), cell(paragraph('Inner two')))}</w:tbl>${paragraph('')}`))}</w:tbl>`;
  const lines = linesOf(await read(wordFile(`${merged}${paragraph('Between.')}${nested}`), 'docx'));
  expect(lines.slice(0, 3)).toEqual([
    'Region · Month · Sum',
    'Region: North · Month: May · Sum: 12',
    'Region: North · Month: June · Sum: 15',
  ]);
  expect(lines.join(' ')).toMatch(/Outer.*Inner one.*Inner two/);
});

test('Word: formulas are read inline', async () => {
  const run = (text: string): string =>
    `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
  const fraction = `<m:f><m:num>${run('m')}</m:num><m:den>${run('2')}</m:den></m:f>`;
  const power = `<m:sSup><m:e>${run('c')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`;
  const formula = `<m:oMath>${run('E=')}${fraction}${power}</m:oMath>`;
  const body = [
    `<w:p><w:r><w:t xml:space="preserve">So </w:t></w:r>${formula}<w:r><w:t xml:space="preserve"> holds.</w:t></w:r></w:p>`,
    `<w:p><m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath>${run('F=ma')}</m:oMath></m:oMathPara></w:p>`,
  ].join('');
  expect(linesOf(await read(wordFile(body), 'docx'))).toEqual(['So E=m/2c^2 holds.', 'F=ma']);
});

test('Word: declared entities are never resolved', async () => {
  const bytes = wordFile('', {
    'word/document.xml': `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y "again">]><w:document ${W}><w:body>${paragraph('before &x;&y; after &amp; so on')}</w:body></w:document>`,
  });
  expect(linesOf(await read(bytes, 'docx'))).toEqual(['before after & so on']);
});

test('PowerPoint: slides are read in order, hidden ones too, with groups, SmartArt, charts and comments', async () => {
  const bytes = pack({
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([
      ['r1', 'slide', 'slides/slide1.xml'],
      ['r2', 'slide', 'slides/slide2.xml'],
    ]),
    'ppt/slides/slide1.xml': slide(
      `${shape('Second', 'title')}${shape('Page 2', 'sldNum')}${shape('Heron Ltd', 'ftr')}`,
    ),
    'ppt/slides/slide2.xml': slide(
      `${shape('First', 'title')}<p:grpSp>${shape('In a group')}</p:grpSp>${shape('Heron Ltd', 'ftr')}`,
      'show="0"',
    ),
    'ppt/slides/_rels/slide2.xml.rels': relations([
      ['r1', 'diagramData', '../diagrams/data1.xml'],
      ['r2', 'chart', '../charts/chart1.xml'],
      ['r3', 'comments', '../comments/comment1.xml'],
    ]),
    'ppt/diagrams/data1.xml': `<d:dataModel xmlns:d="x" ${P}><d:pt><d:t><a:p><a:r><a:t>A step</a:t></a:r></a:p></d:t></d:pt></d:dataModel>`,
    'ppt/charts/chart1.xml':
      '<c:chart xmlns:c="c" xmlns:a="a"><c:title><a:p><a:r><a:t>Output</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>North</c:v></c:tx><c:cat><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:cat><c:val><c:pt><c:v>12</c:v></c:pt><c:pt><c:v>15</c:v></c:pt></c:val></c:ser></c:chart>',
    'ppt/commentAuthors.xml': `<p:cmAuthorLst ${P}><p:cmAuthor id="0" name="Ida"/></p:cmAuthorLst>`,
    'ppt/comments/comment1.xml': `<p:cmLst ${P}><p:cm authorId="0"><p:text>Shorter, please.</p:text></p:cm></p:cmLst>`,
  });
  const extraction = await read(bytes, 'pptx');
  expect(linesOf(extraction)).toEqual([
    'First',
    'First | In a group',
    'First | A step',
    'First | Output',
    'First | North · May: 12 · June: 15',
    'First | Comments',
    'First | Comments | Ida: Shorter, please.',
    'Second',
    'Heron Ltd',
  ]);
  expect(extraction.segments[0]?.location).toEqual({ slide: 1 });
});

test('PowerPoint: chart values are read with their categories, and dates as shown', async () => {
  const point = (at: number, value: string): string =>
    `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`;
  const points = (...values: (string | null)[]): string =>
    values.map((value, index) => (value === null ? '' : point(index, value))).join('');
  const series = (axes: Record<string, string>): string =>
    `<c:ser>${Object.entries(axes)
      .map(([name, content]) => `<c:${name}>${content}</c:${name}>`)
      .join('')}</c:ser>`;
  const dates = (format: string, days: string): string =>
    `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(days)}</c:numCache></c:numRef>`;
  const chart = [
    series({ cat: points('May', 'June', 'July'), val: points('12', null, '15') }),
    series({ xVal: points('1.5', '2'), yVal: points('30', '40') }),
    series({ cat: dates('mmm-yy', '45292'), val: points('7') }),
    series({ cat: dates('dd.mm.yyyy', '45292'), val: points('8') }),
    series({ cat: dates('General', '45292'), val: points('9') }),
  ].join('');
  const bytes = pack({
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([['r1', 'slide', 'slides/slide1.xml']]),
    'ppt/slides/slide1.xml': slide(shape('Sales', 'title')),
    'ppt/slides/_rels/slide1.xml.rels': relations([['r1', 'chart', '../charts/chart1.xml']]),
    'ppt/charts/chart1.xml': `<c:chartSpace xmlns:c="c"><c:date1904 val="0"/><c:chart>${chart}</c:chart></c:chartSpace>`,
  });
  expect(linesOf(await read(bytes, 'pptx')).slice(1)).toEqual([
    'Sales | May: 12 · July: 15',
    'Sales | 1.5: 30 · 2: 40',
    'Sales | Jan-24: 7',
    'Sales | 2024-01-01: 8',
    'Sales | 45292: 9',
  ]);
});

function workbook(
  sheets: Record<string, unknown[][]>,
  change?: (book: WorkBook) => void,
): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  }
  change?.(book);
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
}

test('Excel: each row has its column names, merged values, formatted values and comments', async () => {
  const rows = [
    ['Sales by region'],
    ['Region', '2023', '', '2024', ''],
    ['', 'Q1', 'Q2', 'Q1', 'Q2'],
    ['North', 1, 2, 3, 4],
    ['', 5, 6, 7, 8],
    ['South', 0.25, new Date(Date.UTC(2024, 2, 1)), 1234.5, 8],
  ];
  const bytes = workbook({ Numbers: rows }, ({ Sheets: { Numbers = {} } }) => {
    Numbers['!merges'] = ['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2', 'A4:A5'].map((range) =>
      utils.decode_range(range),
    );
    Object.assign(Numbers['B6'] as object, { z: '0%' });
    Object.assign(Numbers['D6'] as object, { z: '#,##0.00 "€"', c: [{ a: 'Ida', t: 'Check' }] });
  });
  expect(linesOf(await read(bytes, 'xlsx')).slice(2)).toEqual([
    'Numbers | Sales by region | Region · 2023 · 2024',
    'Numbers | Sales by region | Region · Q1 · Q2 · Q1 · Q2',
    'Numbers | Sales by region | Region: North · 2023 Q1: 1 · 2023 Q2: 2 · 2024 Q1: 3 · 2024 Q2: 4',
    'Numbers | Sales by region | Region: North · 2023 Q1: 5 · 2023 Q2: 6 · 2024 Q1: 7 · 2024 Q2: 8',
    'Numbers | Sales by region | Region: South · 2023 Q1: 25% · 2023 Q2: 2024-03-01 · 2024 Q1: 1,234.50 € (comment: Check) · 2024 Q2: 8',
  ]);
});

test('Excel: hidden sheets, several tables on one sheet and distant cells are read', async () => {
  const bytes = workbook(
    {
      Open: [['Secret', 'Value'], ['x', 1], [], ['Name', 'Age'], ['Bo', 3]],
      Hidden: [
        ['City', 'Size'],
        ['Delft', 9],
      ],
    },
    (book) => {
      book.Workbook = { Sheets: [{ name: 'Open' }, { name: 'Hidden', Hidden: 1 }] };
      const sheet = book.Sheets['Hidden'] ?? {};
      sheet['B9'] = { t: 's', v: 'far below' };
      sheet['D2'] = { t: 's', v: 'far right' };
      sheet['!ref'] = 'A1:D9';
    },
  );
  const parts = unzipSync(bytes);
  const sheet = strFromU8(parts['xl/worksheets/sheet2.xml'] ?? new Uint8Array())
    .replace('A1:D9', 'A1:XFD900000')
    .replace('r="B9"', 'r="B900000"')
    .replace('<row r="9"', '<row r="900000"')
    .replace('r="D2"', 'r="XFD2"');
  const far = pack({ ...parts, 'xl/worksheets/sheet2.xml': sheet });
  const extraction = await read(far, 'xlsx');
  expect(linesOf(extraction)).toEqual([
    'Open',
    'Open | Secret · Value',
    'Open | Secret: x · Value: 1',
    'Open | Name · Age',
    'Open | Name: Bo · Age: 3',
    'Hidden',
    'Hidden | City · Size',
    'Hidden | City: Delft · Size: 9',
    'Hidden | far below',
  ]);
  expect(extraction.segments.at(-1)?.location).toEqual({ sheet: 'Hidden', row: 900_000 });
  expect(extraction.notes).toEqual(['Only the first 1,000 columns were read.']);
});

test('Excel: dates with dots and long integers are read as the sheet shows them', async () => {
  const formats = ['DD.MM.YYYY', 'd.m.yy', 'dd.mm.yyyy hh:mm', '[$-407]d. mmmm yyyy', 'ss.00'];
  const rows = [[...formats.map(() => 45_429.75), 4_006_381_333_931, 1.5]];
  const dated = (date1904: boolean): Uint8Array =>
    workbook({ A: rows }, (book) => {
      book.Workbook = { WBProps: { date1904 } };
      for (const [index, z] of formats.entries()) {
        Object.assign(book.Sheets['A']?.[utils.encode_cell({ r: 0, c: index })] as object, { z });
      }
    });
  expect(linesOf(await read(dated(false), 'xlsx')).at(-1)).toBe(
    'A | 17.05.2024 · 17.5.24 · 17.05.2024 18:00 · 17. May 2024 · 00.00 · 4006381333931 · 1.5',
  );
  expect(linesOf(await read(dated(true), 'xlsx')).at(-1)).toContain('18.05.2028 · 18.5.28');
});

test('Word: an unclosed document type declaration is parsed quickly', async () => {
  const bytes = wordFile('', {
    'word/document.xml': `${'<!DOCTYPE'.repeat(100_000)}[`,
  });
  await expect(read(bytes, 'docx')).rejects.toMatchObject({ code: 'damaged' });
});
