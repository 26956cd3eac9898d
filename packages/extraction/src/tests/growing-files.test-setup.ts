import { utils, write } from '@e965/xlsx';
import type { FileType } from '../index.ts';
import {
  P,
  pack,
  paragraph,
  relations,
  shape,
  slide,
  wordFile,
} from '../office/tests/office-files.test-setup.ts';
import { presentation } from '../office/tests/presentation.test-setup.ts';
import { wordDocument } from '../office/tests/word-document.test-setup.ts';

/** Creates a file of a size. */
export type Make = (count: number) => Uint8Array | string;

/** The number of repetitions in a file of the smallest size, unless a maker has its own. */
const REPEATED = 5000;
const FEWER = 400;

const repeated =
  (unit: string, before = '', after = ''): Make =>
  (count) =>
    before + unit.repeat(count) + after;
const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

/** Texts that repeat one of some units between a start and an end. */
const textsOf = (
  units: readonly string[],
  before = '',
  after = '',
): [name: string, make: Make, min: number][] =>
  units.map((unit) => [JSON.stringify(unit + after), repeated(unit, before, after), REPEATED]);

const openDocument = (kind: string, body: string): Uint8Array =>
  pack({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="d"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  });
const sheet = (rows: string): string =>
  `<table:table table:name="S"><table:table-row>${rows}</table:table-row></table:table>`;

const workbook = (rows: string, merges = ''): Uint8Array =>
  pack({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels': relations([['r1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations([['r1', 'worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData>${merges}</worksheet>`,
  });
const cell = (ref: string): string => `<c r="${ref}" t="inlineStr"><is><t>v</t></is></c>`;

const slides = (count: number, shapes: (index: number) => string): Uint8Array =>
  pack({
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst>${repeat(count, (i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`)}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Array.from({ length: count }, (_, i) => [`r${i}`, 'slide', `slides/slide${i}.xml`]),
    ),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`ppt/slides/slide${i}.xml`, slide(shapes(i))]),
    ),
  });

const book = (chapters: number, body: string): Uint8Array =>
  pack({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
    'c.opf': `<package><manifest>${repeat(chapters, (i) => `<item id="a${i}" href="a${i}.xhtml" media-type="application/xhtml+xml"/>`)}</manifest><spine>${repeat(chapters, (i) => `<itemref idref="a${i}"/>`)}</spine></package>`,
    ...Object.fromEntries(
      Array.from({ length: chapters }, (_, i) => [
        `a${i}.xhtml`,
        `<html><body>${body}</body></html>`,
      ]),
    ),
  });

/** A PDF whose pages all have the same lines. */
function pdf(pages: number, lines: number): string {
  const text = repeat(lines, (i) => `BT /F 9 Tf 9 ${780 - (i % 80) * 9} Td (line ${i}) Tj ET\n`);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${repeat(pages, (i) => `${i + 5} 0 R `)}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Length ${text.length}>>stream\n${text}endstream`,
    ...Array.from(
      { length: pages },
      () =>
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>>>',
    ),
  ];
  let out = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = out.length;
    out += `${i + 1} 0 obj${object}endobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  return `${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${out.length}\n%%EOF`;
}

/** Bytes that are repeated after a header. */
const bytes =
  (head: string, unit: string): Make =>
  (count) =>
    new Uint8Array(Buffer.from(head + unit.repeat(count), 'latin1'));

const MARKDOWN = ['![a', '[a', '![', '[a](', '[a](b', '[a][', '[a]: b\n', '<a', '<', '*a ', '**a'];
const MORE_MARKDOWN = ['_a_', '`a', '``a ', '~~', '|a', '- a\n', '> ', '1. a\n', '&', '\\', '<!--'];
const TABLES = ['| a\n|-\n', '|a|\n', '# ', '# a\n', '    a\n', '```\n', '<div>\n', '***a'];
const HTML = ['<p>a', '<div>', '</div>', '<!--', '<![CDATA[', '<a href="', '<a ', '<td>a', '<b>'];
const MORE_HTML = ['<table><tr><td>a', '<', '&', '&#', '<script>', '<li>a', '<p><b>a', '<svg>a'];
const RTF = [
  '{',
  '}',
  '\\par a',
  "\\'e9",
  '\\u233?',
  '\\trowd a\\cell\\row ',
  '\\bin5 ',
  '{\\pict 00',
];
const MORE_RTF = ['\\b', '{\\field{\\*\\fldinst HYPERLINK "a"}', '{\\listtext a}', '\\ls1 a\\par '];
const HEADS = ['a, ', '=?utf-8?q?a?= ', '"', '<', '(', ';', 'a\n ', '<a@b.c>, '];
const MAIL = 'From: a@b.c\nMIME-Version: 1.0\n';
const PARTS = `${MAIL}Content-Type: multipart/mixed; boundary=b\n\n`;
const EVENT = 'BEGIN:VEVENT\nDTSTART:20240101\nSUMMARY:a\nEND:VEVENT\n';
const CALENDAR = ['BEGIN:VEVENT\n', 'SUMMARY:a\n', ' a\n', 'SUMMARY;X=', 'RDATE:20240102\n'];

/** Files of each format that repeat something, with the repetitions of the smallest size. */
export const growingFiles: Partial<Record<FileType, [name: string, make: Make, min: number][]>> = {
  txt: textsOf(['a ', 'a', '\n', 'a\n', 'a-\n', '\t', ' \n', '\u00e9']),
  md: [
    ...textsOf([...MARKDOWN, ...MORE_MARKDOWN, ...TABLES]),
    ...textsOf(['![a', '[a', '[', '!['], '', '](b)'),
    ...textsOf(['a: b\n', '- a\n'], '---\n'),
  ],
  csv: textsOf(['a,b\n', 'a,', '"', '"a', '"a""', ';', 'a;b,c\n', '\n', 'a\tb\n']),
  html: [...textsOf(HTML), ...textsOf(MORE_HTML), ...textsOf(['<td>a', '<tr>'], '<table>')],
  json: [
    ...textsOf(['[', '{"a":', '"a"', '{}\n', '[1]\n', '{"a":1}\n', '\\', '{"a":[{"b":']),
    ...textsOf(['{"a":1},', '"a",', '"\\u00e9",', '[],'], '[', '1]'),
    ['many names', (count) => `{${repeat(count, (i) => `"k${i}":${i},`)}"z":1}`, REPEATED],
  ],
  rtf: textsOf([...RTF, ...MORE_RTF], '{\\rtf1 '),
  eml: [
    ...textsOf(HEADS, 'From: a@b.c\nTo: ', '\n\nbody'),
    ...textsOf(['X-A: b\n'], MAIL, '\nbody'),
    ...textsOf(['--b\n', '--b\n\na\n', '--b\nContent-Type: text/html\n\n<p>a\n'], PARTS),
    ...textsOf(['<p>a', '<div>', '<blockquote>a'], `${MAIL}Content-Type: text/html\n\n`),
    ...textsOf(['=\n', '=3D', '='], `${MAIL}Content-Transfer-Encoding: quoted-printable\n\n`),
    ...textsOf(['aaaa\n', '='], `${MAIL}Content-Transfer-Encoding: base64\n\n`),
    ...textsOf(['> a\n', 'On a wrote:\n', '-- \n'], `${MAIL}\n`),
  ],
  mbox: textsOf([
    'From a@b.c Sat Jan  3 01:05:34 1996\nSubject: x\n\na\n\n',
    'From a\n',
    '>From a\n',
    '\nFrom a@b.c Sat Jan  3 01:05:34 1996\n',
  ]).map(([name, make]) => [name, make, FEWER]),
  ics: [
    ...textsOf([EVENT, ...CALENDAR], 'BEGIN:VCALENDAR\n'),
    ...textsOf(CALENDAR, 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20240101\n'),
  ],
  vcf: [
    ...textsOf(['BEGIN:VCARD\nFN:a\nEND:VCARD\n', 'BEGIN:VCARD\n']),
    ...textsOf(
      ['TEL:1\n', ' a\n', ';', ',', 'item1.TEL:1\n', 'N:a;b\n'],
      'BEGIN:VCARD\nFN:a\nNOTE:',
    ),
  ],
  docx: [
    ['paragraphs', (count) => wordFile(paragraph('a').repeat(count)), FEWER * 4],
    [
      'runs',
      (count) => wordFile(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(count)}</w:p>`),
      FEWER * 4,
    ],
    [
      'rows',
      (count) =>
        wordFile(`<w:tbl>${`<w:tr><w:tc>${paragraph('a')}</w:tc></w:tr>`.repeat(count)}</w:tbl>`),
      FEWER * 4,
    ],
    [
      'cells',
      (count) =>
        wordFile(`<w:tbl><w:tr>${`<w:tc>${paragraph('a')}</w:tc>`.repeat(count)}</w:tr></w:tbl>`),
      FEWER * 4,
    ],
    [
      'headings',
      (count) => wordFile(paragraph('a', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>').repeat(count)),
      FEWER * 4,
    ],
  ],
  doc: [
    [
      'paragraphs',
      (count) =>
        wordDocument({ body: Array.from({ length: count }, (_, i) => ({ text: `a${i}` })) }),
      FEWER,
    ],
  ],
  xlsx: [
    [
      'rows',
      (count) => workbook(repeat(count, (i) => `<row r="${i + 1}">${cell(`A${i + 1}`)}</row>`)),
      FEWER * 4,
    ],
    [
      'merged cells',
      (count) =>
        workbook(
          repeat(count, (i) => `<row r="${i + 1}">${cell(`A${i + 1}`)}</row>`),
          `<mergeCells>${repeat(count, (i) => `<mergeCell ref="A${i + 1}:C${i + 1}"/>`)}</mergeCells>`,
        ),
      FEWER * 4,
    ],
  ],
  xls: [
    [
      'rows',
      (count) => {
        const workbook = utils.book_new();
        utils.book_append_sheet(
          workbook,
          utils.aoa_to_sheet(Array.from({ length: count }, (_, i) => [`a${i}`, i])),
          'S',
        );
        return new Uint8Array(write(workbook, { type: 'buffer', bookType: 'biff8' }) as Buffer);
      },
      FEWER * 4,
    ],
  ],
  pptx: [
    ['slides', (count) => slides(count, (i) => shape(`a${i}`)), 100],
    ['shapes', (count) => slides(1, () => shape('a').repeat(count)), FEWER * 4],
  ],
  ppt: [
    [
      'slides',
      (count) => presentation(Array.from({ length: count }, () => ({ title: 'a' }))),
      FEWER,
    ],
    [
      'text',
      (count) => presentation([{ body: Array.from({ length: count }, () => 'a') }]),
      FEWER * 4,
    ],
  ],
  odt: [
    ['paragraphs', (count) => openDocument('text', '<text:p>a</text:p>'.repeat(count)), FEWER * 4],
    [
      'spans',
      (count) =>
        openDocument('text', `<text:p>${'<text:span>a</text:span>'.repeat(count)}</text:p>`),
      FEWER * 4,
    ],
    [
      'lists',
      (count) =>
        openDocument(
          'text',
          `<text:list>${'<text:list-item><text:p>a</text:p></text:list-item>'.repeat(count)}</text:list>`,
        ),
      FEWER * 4,
    ],
    [
      'headings',
      (count) => openDocument('text', '<text:h text:outline-level="2">a</text:h>'.repeat(count)),
      FEWER * 4,
    ],
  ],
  ods: [
    [
      'rows',
      (count) =>
        openDocument(
          'spreadsheet',
          sheet(
            '<table:table-cell><text:p>a</text:p></table:table-cell></table:table-row><table:table-row>'.repeat(
              count,
            ),
          ),
        ),
      FEWER * 4,
    ],
    [
      'cells',
      (count) =>
        openDocument(
          'spreadsheet',
          sheet('<table:table-cell><text:p>a</text:p></table:table-cell>'.repeat(count)),
        ),
      FEWER * 4,
    ],
    [
      'tables',
      (count) =>
        openDocument(
          'spreadsheet',
          sheet('<table:table-cell><text:p>a</text:p></table:table-cell>').repeat(count),
        ),
      FEWER,
    ],
  ],
  odp: [
    [
      'slides',
      (count) =>
        openDocument(
          'presentation',
          '<draw:page><draw:frame><text:p>a</text:p></draw:frame></draw:page>'.repeat(count),
        ),
      FEWER * 4,
    ],
    [
      'shapes',
      (count) =>
        openDocument(
          'presentation',
          `<draw:page>${'<draw:frame><text:p>a</text:p></draw:frame>'.repeat(count)}</draw:page>`,
        ),
      FEWER * 4,
    ],
  ],
  epub: [
    ['chapters', (count) => book(count, '<p>a</p>'), 100],
    ['paragraphs', (count) => book(1, '<p>a</p>'.repeat(count)), FEWER * 4],
  ],
  zip: [
    [
      'members',
      (count) =>
        pack(
          Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i % 9}/m${i}.txt`, 'a'])),
        ),
      FEWER,
    ],
  ],
  pdf: [
    ['pages', (count) => pdf(count, 3), 50],
    ['lines of a page', (count) => pdf(1, count), FEWER],
  ],
  wav: [
    [
      'chunks',
      bytes(
        'RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0',
        'LIST\x04\0\0\0abcd',
      ),
      REPEATED,
    ],
  ],
  mp3: [
    ['frames of a tag', bytes('ID3\x03\0\0\x00\x7f\x7f\x7f', 'TIT2\0\0\0\x02\0\0\0a'), REPEATED],
  ],
  mp4: [['boxes', bytes('\0\0\0\x10ftypisom\0\0\0\0', '\0\0\0\x08free'), REPEATED]],
  mov: [['boxes', bytes('\0\0\0\x10ftypqt  \0\0\0\0', '\0\0\0\x08moov'), REPEATED]],
  avi: [['chunks', bytes('RIFF\xff\xff\xff\x7fAVI ', 'JUNK\x04\0\0\0abcd'), REPEATED]],
  mkv: [
    [
      'elements',
      bytes(
        '\x1aE\xdf\xa3\x84B\x86\x81\x01\x18S\x80g\x01\xff\xff\xff\xff\xff\xff\xff',
        '\xec\x81a',
      ),
      REPEATED,
    ],
  ],
  jpeg: [['segments', bytes('\xff\xd8', '\xff\xe1\0\x04ab'), REPEATED]],
  png: [
    [
      'chunks',
      bytes(
        '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\0\0\0\0\0\0\0\0',
        '\0\0\0\x01tEXta\0\0\0\0',
      ),
      REPEATED,
    ],
  ],
  gif: [['blocks', bytes('GIF89a\x08\0\x08\0\0\0\0', '!\xfe\x01a\0'), REPEATED]],
  webp: [['chunks', bytes('RIFF\xff\xff\xff\x7fWEBP', 'EXIF\x04\0\0\0abcd'), REPEATED]],
  tiff: [['directories', bytes('II*\0\x08\0\0\0', '\0\0\x08\0\0\0'), REPEATED]],
  bmp: [['pixels', bytes('BM', '\0\0\0\0'), REPEATED]],
};
