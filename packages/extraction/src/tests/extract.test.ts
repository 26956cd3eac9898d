import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  detectType,
  extract,
  type Extraction,
  ExtractionError,
  FILE_TYPES,
  type FileType,
  HEAD_BYTES,
} from '../index.ts';

const types: FileType[] = Object.keys(FILE_TYPES) as FileType[];

/** The flaws of an extraction. */
function flaws({ text, segments }: Extraction): string[] {
  const problems: string[] = [];
  let end = 0;
  for (const segment of segments) {
    if (segment.start < end) problems.push(`${segment.start} lies before ${end}`);
    if (segment.end - segment.start > 2000) problems.push(`${segment.start} is too long`);
    if (text.slice(segment.start, segment.end).trim() === '')
      problems.push(`${segment.start} is blank`);
    end = segment.end;
  }
  if (end > text.length) problems.push('a segment ends after the text');
  if (/[\0\r]/.test(text) || !text.isWellFormed()) problems.push('the text is not clean');
  return problems;
}

/** Extracts bytes and returns the flaws. A refusal with a message is not a flaw. */
async function flawsOfReading(
  bytes: Uint8Array,
  fileName: string,
  type: FileType,
): Promise<string[]> {
  try {
    return flaws(await extract({ bytes, fileName, type }));
  } catch (error) {
    const isSentence = error instanceof ExtractionError && error.message.endsWith('.');
    return isSentence ? [] : [String(error)];
  }
}

const txt = (text: string, fileName = 'a.txt'): Promise<Extraction> =>
  extract({ bytes: strToU8(text), fileName, type: 'txt' });

test('segments of any text are in order, never overlap and are never empty', async () => {
  const words = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r\n',
        ' ',
        '. ',
        '# ',
        '- ',
        '```\n',
        '"',
        ',',
        ';',
        '\t',
        '<p>',
      ),
      fc.constantFrom('<table><tr><td>', '</td>', '{"a":', '[', ']', '}', '1', 'x'.repeat(2500)),
    ),
    { maxLength: 60 },
  );
  const textTypes = fc.constantFrom<FileType>('txt', 'csv', 'html', 'json');
  const names = fc.constantFrom('a', 'a.md', 'a.csv', '../../x.txt', '');
  await fc.assert(
    fc.asyncProperty(words, textTypes, names, async (parts, type, name) => {
      const bytes = Buffer.from(parts.join(''));
      expect(await flawsOfReading(bytes, name, type)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('any bytes are read or fail with a clear message', async () => {
  const magic = [
    '',
    '%PDF-1.7\n',
    'PK\x03\x04',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '<html>',
    '{',
    '\xff\xfe',
  ];
  const start = fc.constantFrom(...magic).map((text) => Buffer.from(text, 'latin1'));
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.uint8Array({ maxLength: 3000 }),
      fc.constantFrom(...types),
      fc.string(),
      async (head, rest, type, name) => {
        const bytes = Buffer.concat([head, rest]);
        expect([null, ...types]).toContain(await detectType(bytes, name));
        expect(await flawsOfReading(bytes, name, type)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('damaged Office files are read in part or fail with a clear message', async () => {
  const complete = zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'word/document.xml': strToU8(
      '<w:document><w:body><w:p><w:r><w:t>Hi</w:t></w:r></w:p></w:body></w:document>',
    ),
    'ppt/presentation.xml': strToU8(
      '<p:presentation><p:sldIdLst><p:sldId r:id="x"/></p:sldIdLst></p:presentation>',
    ),
    'ppt/slides/slide1.xml': strToU8(
      '<p:sld><p:sp><a:p><a:r><a:t>Hi</a:t></a:r></a:p></p:sp></p:sld>',
    ),
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="A" sheetId="1" r:id="r"/></sheets></workbook>',
    ),
  });
  const office = fc.constantFrom<FileType>('docx', 'pptx', 'xlsx');
  const place = fc.nat({ max: complete.length - 1 });
  await fc.assert(
    fc.asyncProperty(
      office,
      place,
      fc.nat({ max: 255 }),
      fc.boolean(),
      async (type, at, byte, cut) => {
        const bytes = complete.slice(0, cut ? at : undefined);
        if (!cut) bytes[at] = byte;
        expect(await flawsOfReading(bytes, `a.${type}`, type)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

test('a line location names the line where the segment begins', async () => {
  const lines = fc.array(fc.constantFrom('', ' ', 'A line.', 'Another one', 'x'.repeat(900)), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(lines, async (source) => {
      const { text, segments } = await txt(`\n${source.join('\n')}`);
      for (const { start, location } of segments) {
        expect(location).toEqual({ line: text.slice(0, start).split('\n').length });
      }
    }),
  );
});

test('plain text is unchanged', async () => {
  const source = '  Indented.\n\n\tTabbed\u00a0text – “quoted” 😀.\n';
  expect((await txt(source)).text).toBe(source);
  expect((await txt('one\r\ntwo\rthree\0')).text).toBe('one\ntwo\nthree');
});

test('a long paragraph is split at sentence ends', async () => {
  const sentence = `${'word '.repeat(30)}end.`;
  const { text, segments } = await txt(Array.from({ length: 50 }, () => sentence).join(' '));
  expect(segments.length).toBeGreaterThan(3);
  for (const { start, end } of segments) expect(text.slice(start, end)).toMatch(/^word.*end\.$/s);
});

test('text beyond the limit is left out with a note', async () => {
  const long = await extract(
    { bytes: strToU8('A paragraph.\n\n'.repeat(1000)), fileName: 'a.txt', type: 'txt' },
    { maxTextLength: 100 },
  );
  expect(long.text).toHaveLength(100);
  expect(long.notes).toEqual(['Only the first 100 characters were read.']);
  const table = await extract(
    { bytes: strToU8(`Name,Age\n${'Ada,36\n'.repeat(1000)}`), fileName: 'a.csv', type: 'csv' },
    { maxSegments: 50 },
  );
  expect(table.segments).toHaveLength(50);
  expect(table.notes).toEqual(['Only the first 50 rows and paragraphs were read.']);
});

test('progress ends at 100', async () => {
  const percents: number[] = [];
  const input = { bytes: strToU8('a,b\n1,2\n'), fileName: 'a.csv', type: 'csv' as const };
  await extract(input, { onProgress: (percent) => percents.push(percent) });
  expect(percents.at(-1)).toBe(100);
});

test('text types are detected by content and name', async () => {
  const cases: [text: string, name: string, type: FileType | null][] = [
    ['BMW builds cars.', 'cars.txt', 'txt'],
    ['MZ is a code.', 'code.mp3', 'txt'],
    ['# Title', 'a.md', 'md'],
    ['a;b', 'a.csv', 'csv'],
    ['a\tb', 'a.TSV', 'csv'],
    ['<!DOCTYPE html><p>x', 'page', 'html'],
    ['{"a": 1}', 'data', 'json'],
    ['[1, 2]\n', 'data.bin', 'json'],
    ['{not json', 'notes', 'txt'],
    ['{\\rtf1 hello}', 'a.txt', 'rtf'],
    ['plain', '', 'txt'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', null],
    ['\uFEFF \n<svg>', 'renamed.txt', null],
    ['<?xml version="1.0"?><!-- a --><svg:svg>', 'renamed.html', null],
    ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><SVG>', 'renamed.csv', null],
    ['<!DOCTYPE x [<!ENTITY a "b">]><svg>', 'page', null],
    ['only called one', 'a.SVG', null],
    ['<svgs>', 'a.txt', 'txt'],
    ['How to draw: <svg>', 'a.md', 'md'],
    ['<!DOCTYPE html><svg></svg>', 'page', 'html'],
  ];
  for (const [text, name, type] of cases) {
    expect([text, await detectType(strToU8(text), name)]).toEqual([text, type]);
  }
});

test('an Office file is detected if its directory is after the first bytes', async () => {
  const media = Uint8Array.from({ length: 90_000 }, (_, index) => (index * 7919) % 251);
  const late = zipSync(
    { 'word/media/a.bin': media, '[Content_Types].xml': strToU8('<Types/>') },
    { level: 0 },
  );
  const head = late.subarray(0, HEAD_BYTES);
  expect(await detectType(head, 'report.docx')).toBe('docx');
  expect(await detectType(head, 'report.zip')).toBe('zip');
  const photos = zipSync({ 'a.jpg': media }, { level: 0 });
  expect(await detectType(photos, 'photos.docx')).toBe('zip');
});

test('text that is hard for regular expressions is read quickly', async () => {
  expect(await detectType(strToU8(`${'<!-- -->'.repeat(240)}x`), 'page')).toBe('txt');
  expect(await detectType(strToU8(`${'<!-- -->\n'.repeat(200)}<html>`), 'page')).toBe('html');
  expect(await detectType(strToU8('<!doctype x>'.repeat(5000)), 'page')).toBe('txt');
  const heading = await txt(`# a${' '.repeat(400_000)}b\n\nText.`, 'a.md');
  expect(heading.segments.at(-1)?.headings).toEqual(['a b']);
  const settings = await txt(`---\na: b\n${' \n\n-\n'.repeat(30_000)}c\n---`, 'a.md');
  expect(settings.title).toBe('c');
});

const csv = async (source: string): Promise<Extraction & { rows: string[] }> => {
  const read = await extract({ bytes: strToU8(source), fileName: 'a.csv', type: 'csv' });
  return { ...read, rows: read.segments.map(({ start, end }) => read.text.slice(start, end)) };
};

test('an unclosed quotation mark loses no row', async () => {
  const rest = Array.from({ length: 40 }, (_, index) => `${index + 3},Zoë,x`).join('\n');
  const { rows, segments, notes } = await csv(
    `No,Name,Word\n1,Zoë,"a, b"\n2,Ann,"hello\n${rest}\n`,
  );
  expect(rows.slice(0, 4)).toEqual([
    'No · Name · Word',
    'No: 1 · Name: Zoë · Word: a, b',
    'No: 2 · Name: Ann · Word: "hello',
    'No: 3 · Name: Zoë · Word: x',
  ]);
  expect(segments.at(-1)?.location).toEqual({ sheet: 'a', row: 43 });
  expect(notes).toEqual([
    'A quotation mark in this table is not closed: from there on, quotation marks were read as text.',
  ]);
  const hinted = await csv('sep=;\na;b\n1;2\n3;"4\n5;6');
  expect(hinted.rows).toEqual(['a · b', 'a: 1 · b: 2', 'a: 3 · b: "4', 'a: 5 · b: 6']);
});

test('decimal commas are not delimiters', async () => {
  const decimals = await csv(`x;y;z\n${'0,5;1,25;-2,75 €\n'.repeat(9)}`);
  expect(decimals.rows[1]).toBe('x: 0,5 · y: 1,25 · z: -2,75 €');
  const lists = await csv(`id,count,tags\n${'1,20,red;green;blue\n'.repeat(9)}`);
  expect(lists.rows[1]).toBe('id: 1 · count: 20 · tags: red;green;blue');
  expect((await csv('1,2,3\n4,5,6\n')).rows).toEqual(['1 · 2 · 3', '4 · 5 · 6']);
});

test('Markdown front matter is kept as code and gives the title', async () => {
  const titleOf = async (settings: string): Promise<string | null> =>
    (await txt(`---\n${settings}\n---\n# Body`, 'a.md')).title;
  expect(await titleOf('date: 5 May\ntitle: A plain # one')).toBe('A plain');
  expect(await titleOf("title: 'It''s quoted'")).toBe("It's quoted");
  expect(await titleOf('title: "An \\"odd\\" one"')).toBe('An "odd" one');
  expect(await titleOf('title: >\n  folded')).toBe('Body');
  const { segments } = await txt('---\nNote: a line\n\nand prose\n\n# One\n\n---\n', 'a.md');
  expect(segments.map(({ kind }) => kind)).toContain('heading');
});

test('Markdown is read without its markup, line by line', async () => {
  const source = [
    '# A *b*',
    '',
    'Hello **bold** [site](https://x.org/y), <https://z.org>',
    'next `code` &amp; \\*star\\*',
    '',
    '| a | b |',
    '|---|---|',
    '| 1 | **2** |',
    '',
    '1. x',
    '2. y',
    '   - n',
    '',
    '<div>',
    '<b>x</b> &lt;',
    '</div>',
  ];
  const { text, segments } = await txt(source.join('\n'), 'a.md');
  expect(text.split('\n').slice(0, 4)).toEqual([
    '# A b',
    '',
    'Hello bold site <https://x.org/y>, https://z.org',
    'next code & *star*',
  ]);
  const located = segments.map(({ kind, location, start, end }) => {
    return [kind, 'line' in location && location.line, text.slice(start, end).trim()];
  });
  expect(located.slice(2)).toEqual([
    ['table', 6, 'a · b'],
    ['table', 8, 'a: 1 · b: 2'],
    ['list', 10, '1. x\n2. y\n  - n'],
    ['prose', 15, 'x <'],
  ]);
});

test('no line of unclosed code, definitions or breaks in Markdown is lost', async () => {
  const { text, segments } = await txt(
    'See [a].\n\n[a]: https://x.org\n[todo]: later\n\nOne&#10;two\nthree\n\n```\nlet a;\nlet b;',
    'a.md',
  );
  const texts = segments.map(({ start, end }) => text.slice(start, end));
  expect(texts).toEqual([
    'See a <https://x.org>.',
    '[a]: https://x.org',
    '[todo]: later',
    'One two\nthree',
    'let a;\nlet b;',
  ]);
});

test('a Markdown table without column names uses its first row', async () => {
  const { text } = await txt('| | |\n|---|---|\n| Total | £600.00 |\n| Status | open |\n', 'a.md');
  expect(text.trim().split('\n')).toEqual(['Total: £600.00', 'Status: open']);
});

test('Markdown that is hard to parse is read quickly', async () => {
  for (const mark of ['*a ', '[', '![', '> ', '- ', '<!--', '<a ', '`', '|', '[a](b', '**a']) {
    const { segments } = await txt(mark.repeat(20_000), 'a.md');
    expect(segments.length).toBeLessThan(50_000);
  }
});
