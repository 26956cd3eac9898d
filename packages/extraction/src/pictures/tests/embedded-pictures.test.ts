import { utils, write } from '@e965/xlsx';
import { unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { createRecognizer } from '../../ocr/recognizer.ts';
import { extract, type Extraction, type FileType, type Supplements } from '../../index.ts';
import {
  P,
  pack,
  paragraph,
  relations,
  shape,
  slide,
  W,
  wordFile,
} from '../../office/tests/office-files.test-setup.ts';
import { printedLines } from './printed-pictures.test-setup.ts';
import { readWithPictures } from './read-with-pictures.test-setup.ts';

const recognizer = createRecognizer({ languages: ['eng'] });
afterAll(() => recognizer.close());

const lines = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, location, headings }) =>
    [JSON.stringify(location), ...headings, text.slice(start, end)].join(' | '),
  );

const read = (bytes: Uint8Array, fileName: string, supplements: Supplements = {}) =>
  extract({ bytes, fileName, type: fileName.split('.').at(-1) as FileType, supplements });

const image = (id: string): string =>
  `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;

const notice = await printedLines(['The pier is closed', 'until the 14th of May']);
const logo = await printedLines(['HERON'], { width: 60, height: 30, size: 12 });
const letterhead = await printedLines(['Harbour of Heron', 'Pier Road 4']);

const report = wordFile(
  `${paragraph('Before the picture.')}<w:p><w:r><w:t>NotesAndComments it.</w:t></w:r><w:r>${image('r1')}</w:r></w:p>${paragraph('After it.')}<w:p><w:r>${image('r2')}</w:r></w:p><w:p><w:r>${image('r1')}</w:r></w:p>`,
  {
    'word/_rels/document.xml.rels': relations([
      ['r1', 'image', 'media/image1.png'],
      ['r2', 'image', 'media/image2.png'],
      ['r3', 'image', 'media/gone.png'],
      ['r4', 'header', 'header1.xml'],
    ]),
    'word/media/image1.png': notice,
    'word/media/image2.png': logo,
    'word/header1.xml': `<w:hdr ${W}>${paragraph('Report')}</w:hdr>`,
    'word/_rels/header1.xml.rels': relations([['r1', 'image', 'media/image3.png']]),
    'word/media/image3.png': letterhead,
  },
);

/** The result of recognizing one line in a picture. */
const recognized = (path: string, text: string) => ({
  page: 1,
  path,
  lines: [
    {
      block: 1,
      words: text.split(' ').map((word, index) => {
        return { text: word, left: index / 10, top: 0.1, width: 0.09, height: 0.1 };
      }),
    },
  ],
});

test('pictures of a document are requested once and placed in the text, except small ones', async () => {
  const first = await read(report, 'report.docx');
  expect(first.notes).toEqual([]);
  expect(first.requests).toEqual([
    { kind: 'page', page: 1, path: 'word/media/image1.png' },
    { kind: 'page', page: 1, path: 'word/media/image3.png' },
  ]);
  const second = await read(report, 'report.docx', {
    pages: [
      recognized('word/media/image1.png', 'The pier is closed'),
      { page: 1, path: 'word/media/image3.png', missing: 'Recognizing its text failed.' },
    ],
  });
  expect(lines(second)).toEqual([
    '{"line":1} | Before the picture.',
    '{"line":3} | NotesAndComments it.',
    '{"line":5} | The pier is closed',
    '{"line":7} | After it.',
    '{"line":9} | Report',
  ]);
  expect(second.requests).toEqual([]);
  expect(second.notes).toEqual([
    'A picture in this document could not be read: Recognizing its text failed.',
  ]);
  const [page] = second.words;
  expect(page).toMatchObject({ page: 1, path: 'word/media/image1.png' });
  const word = page?.words[1];
  expect(second.text.slice(word?.start, word?.end)).toBe('pier');
});

const picture = (id: string): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture" descr="A notice"/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;

const talk = pack({
  'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:sldIdLst></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': relations([
    ['r1', 'slide', 'slides/slide1.xml'],
    ['r2', 'slide', 'slides/slide2.xml'],
  ]),
  'ppt/slides/slide1.xml': slide(shape('One', 'title')),
  'ppt/slides/slide2.xml': slide(`${shape('Two', 'title')}${picture('r1')}${shape('Below.')}`),
  'ppt/slides/_rels/slide1.xml.rels': relations([
    ['r1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
  ]),
  'ppt/slides/_rels/slide2.xml.rels': relations([
    ['r1', 'image', '../media/image1.png'],
    ['r2', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
    ['r3', 'notesSlide', '../notesSlides/notesSlide1.xml'],
  ]),
  'ppt/slideLayouts/slideLayout1.xml': slide(
    `${shape('Click to edit', 'title')}${shape('Confidential')}${shape('‹#›')}${shape('&lt;footer&gt;', 'ftr')}`,
  ),
  'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations([
    ['r1', 'slideMaster', '../slideMasters/slideMaster1.xml'],
  ]),
  'ppt/slideMasters/slideMaster1.xml': slide(
    `${shape('Second level', 'body')}${shape('Heron Ltd, Pier Road 4')}${picture('r9')}`,
  ),
  'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations([
    ['r9', 'image', '../media/image2.png'],
  ]),
  'ppt/notesSlides/notesSlide1.xml': slide(
    `${shape('Handout of May', 'hdr')}${shape('Say it twice.', 'body')}`,
  ),
  'ppt/media/image1.png': notice,
  'ppt/media/image2.png': letterhead,
});

test('pictures of slides are read with their slide, and those of layouts, masters and notes with the headers', async () => {
  const extraction = await readWithPictures(
    { bytes: talk, fileName: 'talk.pptx', type: 'pptx' },
    recognizer,
  );
  expect(lines(extraction)).toEqual([
    '{"slide":1} | One',
    '{"slide":2} | Two',
    '{"slide":2} | Two | A notice',
    '{"slide":2} | Two | The pier is closed\nuntil the 14th of May',
    '{"slide":2} | Two | Below.',
    '{"slide":2} | Two | Notes',
    '{"slide":2} | Two | Notes | Say it twice.',
    '{"slide":1} | Harbour of Heron\nPier Road 4',
    '{"slide":2} | Handout of May',
    '{"slide":1} | Confidential',
    '{"slide":1} | Heron Ltd, Pier Road 4',
  ]);
});

test('a picture on a sheet has the location of its row', async () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Closed', 'See below']]), 'Piers & boats');
  const parts = unzipSync(
    new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer),
  );
  const bytes = pack({
    ...parts,
    'xl/worksheets/_rels/sheet1.xml.rels': relations([
      ['r1', 'drawing', '../drawings/drawing1.xml'],
    ]),
    'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="x" ${P}><xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>6</xdr:row></xdr:from><xdr:pic><xdr:blipFill><a:blip r:embed="r1"/></xdr:blipFill></xdr:pic></xdr:twoCellAnchor></xdr:wsDr>`,
    'xl/drawings/_rels/drawing1.xml.rels': relations([['r1', 'image', '../media/image1.png']]),
    'xl/media/image1.png': notice,
  });
  const path = 'xl/media/image1.png';
  expect((await read(bytes, 'piers.xlsx')).requests).toEqual([{ kind: 'page', page: 1, path }]);
  const pages = [recognized(path, 'The pier is closed')];
  expect(lines(await read(bytes, 'piers.xlsx', { pages })).at(-1)).toBe(
    '{"sheet":"Piers & boats","row":7} | Piers & boats | The pier is closed',
  );
});

test('a picture in a document in a mail in an archive is found by its path', async () => {
  const body = Buffer.from(report).toString('base64').replace(/.{76}/g, '$&\r\n');
  const mail = [
    'From: Ida <ida@example.org>',
    'To: Tom <tom@example.org>',
    'Subject: The report',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Here it is.',
    '--b',
    'Content-Type: application/octet-stream; name="report.docx"',
    'Content-Disposition: attachment; filename="report.docx"',
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '--b--',
    '',
  ].join('\r\n');
  const bytes = pack({ 'mails/report.eml': mail });
  const first = await read(bytes, 'all.zip');
  expect(first.requests.map(({ path }) => path)).toEqual([
    'mails/report.eml/report.docx/word/media/image1.png',
    'mails/report.eml/report.docx/word/media/image3.png',
  ]);
  const { text, segments } = await readWithPictures(
    { bytes, fileName: 'all.zip', type: 'zip' },
    recognizer,
  );
  const segment = segments.find(({ start, end }) => text.slice(start, end).startsWith('The pier'));
  expect(segment?.location).toMatchObject({ path: 'mails/report.eml/report.docx' });
});

test('pictures of an upload are read up to a limit, with a note', async () => {
  const pictures = await Promise.all(
    Array.from({ length: 310 }, (_, index) =>
      printedLines([`Number ${index}`], { width: 200, height: 80, size: 24 }),
    ),
  );
  const names = pictures.map((_, index) => `image${index}.png`);
  const bytes = wordFile(paragraph('All of them.'), {
    'word/_rels/document.xml.rels': relations(
      names.map((name, index) => [`r${index}`, 'image', `media/${name}`]),
    ),
    ...Object.fromEntries(
      names.map((name, index) => [`word/media/${name}`, pictures[index] ?? '']),
    ),
  });
  const { requests, notes } = await read(bytes, 'all.docx');
  expect(requests).toHaveLength(300);
  expect(notes).toEqual(['Of many pictures, the first were read; 10 pictures were left out.']);
});

test('a document with drawings only gets a note that they were not read', async () => {
  const bytes = wordFile(paragraph('Fig. 1'), { 'word/media/image1.emf': new Uint8Array(90) });
  expect((await read(bytes, 'plan.docx')).notes).toEqual([
    'The text in the drawings of this document cannot be read.',
  ]);
});

const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';
const frame = (path: string): string =>
  `<draw:frame><draw:image xlink:href="${path}"/></draw:frame>`;
const book = {
  'META-INF/container.xml':
    '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
  'OEBPS/book.opf':
    '<package><manifest><item id="a" href="text/a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
  'OEBPS/text/a.xhtml':
    '<html><body><p>Before it.</p><p><img src="../images/no%20tice.png" alt=""/></p><p>After it.</p></body></html>',
  'OEBPS/images/no tice.png': notice,
};

test.each([
  [
    'odt',
    pack({
      'content.xml': `<office:document-content ${ODF}><office:body><office:text><text:p>Before it.${frame('Pictures/1.png')}</text:p><text:p>After it.</text:p></office:text></office:body></office:document-content>`,
      'Pictures/1.png': notice,
    }),
    '{"line":1} | Before it.',
    '{"line":3} | The pier is closed\nuntil the 14th of May',
  ],
  [
    'odp',
    pack({
      'content.xml': `<office:document-content ${ODF}><office:body><office:presentation><draw:page><draw:frame><draw:text-box><text:p>Before it.</text:p></draw:text-box></draw:frame>${frame('./Pictures/1.png')}<draw:frame><draw:text-box><text:p>After it.</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document-content>`,
      'Pictures/1.png': notice,
    }),
    '{"slide":1} | Before it.',
    '{"slide":1} | The pier is closed\nuntil the 14th of May',
  ],
  [
    'epub',
    pack(book),
    '{"line":1} | Before it.',
    '{"line":3} | The pier is closed\nuntil the 14th of May',
  ],
] as const)(
  'pictures in %s are placed where they are shown',
  async (type, bytes, firstLine, secondLine) => {
    const extraction = await readWithPictures(
      { bytes, fileName: `notice.${type}`, type },
      recognizer,
    );
    expect(lines(extraction).slice(0, 2)).toEqual([firstLine, secondLine]);
    expect(lines(extraction).at(-1)).toContain('After it.');
    expect(extraction.notes).toEqual([]);
  },
);
