import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { extract } from '../extract.ts';
import { boundDepth } from '../html/markup-depth.ts';
import { MAX_CELL_LENGTH, MAX_COLUMNS, MAX_DEPTH, MAX_ROW_LENGTH } from '../limits.ts';
import type { Extraction, FileType } from '../types.ts';
import {
  P,
  paragraph,
  relations,
  slide,
  wordFile,
} from '../office/tests/office-files.test-setup.ts';

const DEEP = 200_000;
const TREASURE = 'The treasure lies below.';

const nested = (open: string, close: string, inner = TREASURE): string =>
  open.repeat(DEEP) + inner + close.repeat(DEEP);
const pack = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));
const openDocument = (kind: string, body: string): Uint8Array =>
  pack({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="m"/>',
    'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="d"><office:body>${body}</office:body></office:document-content>`,
  });
const read = (type: FileType, bytes: Uint8Array | string): Promise<Extraction> =>
  extract({
    bytes: typeof bytes === 'string' ? strToU8(bytes) : bytes,
    fileName: `a.${type}`,
    type,
  });
const mailOf = (parts: string): string =>
  `From: ann@example.org\nSubject: Parts\nMIME-Version: 1.0\n${parts}`;
const deepMail = mailOf(
  `${Array.from({ length: 20_000 }, (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`).join('')}\n${TREASURE}\n`,
);

test.each<[string, FileType, () => Uint8Array | string]>([
  ['HTML', 'html', () => `<p>Start</p>${nested('<div>', '</div>')}<p>End</p>`],
  ['HTML without end tags', 'html', () => `${'<ul><li>'.repeat(DEEP)}${TREASURE}`],
  ['HTML with wrong end tags', 'html', () => nested('<div>', '</span>')],
  ['Word', 'docx', () => wordFile(nested('<w:ins>', '</w:ins>', paragraph(TREASURE)))],
  [
    'OpenDocument text',
    'odt',
    () =>
      openDocument(
        'text',
        `<office:text>${nested('<text:section>', '</text:section>', `<text:p>${TREASURE}</text:p>`)}</office:text>`,
      ),
  ],
  [
    'OpenDocument spreadsheets',
    'ods',
    () =>
      openDocument(
        'spreadsheet',
        `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell>${nested('<text:p>', '</text:p>')}</table:table-cell></table:table-row></table:table></office:spreadsheet>`,
      ),
  ],
  [
    'OpenDocument presentations',
    'odp',
    () =>
      openDocument(
        'presentation',
        `<office:presentation><draw:page>${nested('<draw:g>', '</draw:g>', `<text:p>${TREASURE}</text:p>`)}</draw:page></office:presentation>`,
      ),
  ],
  [
    'PowerPoint',
    'pptx',
    () =>
      pack({
        'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
        'ppt/_rels/presentation.xml.rels': relations([['r1', 'slide', 'slides/slide1.xml']]),
        'ppt/slides/slide1.xml': slide(
          nested(
            '<p:grpSp>',
            '</p:grpSp>',
            `<p:sp><p:txBody><a:p><a:r><a:t>${TREASURE}</a:t></a:r></a:p></p:txBody></p:sp>`,
          ),
        ),
      }),
  ],
  [
    'EPUB',
    'epub',
    () =>
      pack({
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
        'c.opf':
          '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
        'a.xhtml': `<html><body>${nested('<div>', '</div>')}</body></html>`,
      }),
  ],
  ['RTF', 'rtf', () => `{\\rtf1 ${nested('{', '}')}}`],
  ['quotations in Markdown', 'md', () => `${'>'.repeat(DEEP)} ${TREASURE}`],
  ['lists in Markdown', 'md', () => `${'- '.repeat(DEEP)}${TREASURE}`],
  [
    'indented lists in Markdown',
    'md',
    () =>
      `${Array.from({ length: 2000 }, (_, index) => `${'  '.repeat(index)}- item`).join('\n')}\n${'  '.repeat(2000)}- ${TREASURE}`,
  ],
  [
    'HTML in a mail',
    'eml',
    () => mailOf(`Content-Type: text/html\n\n${nested('<div>', '</div>')}`),
  ],
  ['the parts of a mail', 'eml', () => deepMail],
])('deep nesting of %s is flattened without losing text', async (_, type, make) => {
  expect((await read(type, make())).text).toContain(TREASURE);
});

test('deeply nested JSON fails with the reason', async () => {
  await expect(read('json', nested('[', ']', '1'))).rejects.toMatchObject({
    message: 'This JSON is nested too deeply to be read.',
  });
});

test('content after deep nesting keeps its structure, and shallow markup is unchanged', () => {
  const shallow = '<ul><li>one<li>two</ul><p>three<p>four<br><img src="a"><svg><path/></svg>';
  expect(boundDepth(shallow, { xml: false })).toBe(shallow);
  const flat = `<ul>${'<li>item'.repeat(2 * MAX_DEPTH)}</ul>${'<p>text'.repeat(2 * MAX_DEPTH)}`;
  expect(boundDepth(flat, { xml: false })).toBe(flat);
  const deep = `<r>${'<a>'.repeat(1000)}x${'</a>'.repeat(1000)}<b>y</b></r>`;
  const bounded = boundDepth(deep, { xml: true });
  let [depth, deepest] = [0, 0];
  for (const [, slash] of bounded.matchAll(/<(\/?)\w+>/g)) {
    depth += slash === '' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  expect({ depth, deepest }).toEqual({ depth: 0, deepest: MAX_DEPTH });
  expect(bounded).toMatch(/<b>y<\/b><\/r>$/);
});

const COLUMNS = 1_000_000;
const cells = (make: (i: number) => string, count = COLUMNS): string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const COLUMNS_NOTE = `Only the first ${MAX_COLUMNS.toLocaleString('en-US')} columns were read.`;

test.each<[string, FileType, () => Uint8Array | string]>([
  ['CSV', 'csv', () => `${cells((i) => `c${i}`).join()}\n${cells((i) => `v${i}`).join()}`],
  ['HTML', 'html', () => `<table><tr>${cells((i) => `<td>v${i}`, 50_000).join('')}</table>`],
  [
    'Markdown',
    'md',
    () => `|${cells((i) => `v${i}`, 20_000).join('|')}|\n|${cells(() => '-', 20_000).join('|')}|\n`,
  ],
  ['RTF', 'rtf', () => `{\\rtf1 \\trowd ${cells((i) => `v${i}\\cell `, 50_000).join('')}\\row}`],
  [
    'OpenDocument spreadsheets',
    'ods',
    () =>
      openDocument(
        'spreadsheet',
        `<office:spreadsheet><table:table table:name="S"><table:table-row>${cells((i) => `<table:table-cell><text:p>v${i}</text:p></table:table-cell>`, 5000).join('')}</table:table-row></table:table></office:spreadsheet>`,
      ),
  ],
])('a table row in %s is read up to the column limit, with a note', async (_, type, make) => {
  const { text, notes } = await read(type, make());
  expect(notes).toContain(COLUMNS_NOTE);
  expect(text).toMatch(new RegExp(`\\bv${MAX_COLUMNS - 1}\\b`));
  expect(text).not.toMatch(new RegExp(`\\bv${MAX_COLUMNS}\\b`));
  expect(text.length).toBeLessThan(2 * MAX_ROW_LENGTH);
});

test('cells that span many rows and columns fill a limited table', async () => {
  const row = `<tr>${'<td colspan=200 rowspan=200>x'.repeat(20)}</tr>`;
  const { text, notes } = await read('html', `<table>${row.repeat(300)}</table>`);
  expect(text).toContain('x');
  expect(notes).toEqual([COLUMNS_NOTE]);
});

test('a long cell and a long row are read up to their limits, with a note', async () => {
  const long = 'word '.repeat(MAX_CELL_LENGTH);
  const cell = await read('csv', `name,note\nann,"${long}"\n`);
  expect(cell.text.length).toBeLessThan(MAX_CELL_LENGTH + 100);
  expect(cell.notes).toEqual(['Only the first 32,767 characters of a cell were read.']);
  const part = 'word '.repeat(MAX_CELL_LENGTH / 10);
  const row = await read('csv', `${Array.from({ length: 20 }, () => part).join()}\n`);
  expect(row.text.length).toBeLessThanOrEqual(MAX_ROW_LENGTH);
  expect(row.notes).toEqual(['Only the first 200,000 characters of a row were read.']);
});

test('any number of blank lines is read', async () => {
  const lines = '\n'.repeat(10_000_000);
  expect(await read('txt', lines)).toMatchObject({ text: '', notes: [] });
  const between = await read('txt', `first${lines}last`);
  expect(between.segments.map(({ location }) => location)).toEqual([
    { line: 1 },
    { line: 10_000_001 },
  ]);
  const spaced = await read('json', `first\n${' \n'.repeat(5_000_000)}last`);
  expect(spaced.text).toMatch(/last$/);
});

test('an email with many recipients, long headers and many attachments is read', async () => {
  const crowd = cells((i) => `"Person ${i}" <p${i}@example.org>`, 100_000).join(',\n ');
  const crowded = await read('eml', `From: ann@example.org\nTo: ${crowd}\n\n${TREASURE}\n`);
  expect(crowded.text).toContain('p49@example.org> and 99950 more');
  expect(crowded.text).toContain(TREASURE);
  const heads = cells((i) => `X-Trace-${i}: ${'v'.repeat(30)}`, 100_000).join('\n');
  expect((await read('eml', `${heads}\n\n${TREASURE}\n`)).text).toContain(TREASURE);
  const attachment = '--b\nContent-Disposition: attachment; filename=f.txt\n\nnote\n';
  const { notes } = await read(
    'eml',
    mailOf(`Content-Type: multipart/mixed; boundary=b\n\n${attachment.repeat(10_002)}--b--\n`),
  );
  expect(notes).toEqual(['Only the first 10,000 files were read; 2 were left out.']);
});

test('text with stray NUL bytes is read as text', async () => {
  const { text } = await read('txt', `hello\0world, note\0: ${TREASURE}\n`);
  expect(text).toBe(`helloworld, note: ${TREASURE}\n`);
});
