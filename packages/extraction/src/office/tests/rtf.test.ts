import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { extract, type Extraction, ExtractionError } from '../../index.ts';

const rtf = (body: string, head = String.raw`\ansi\ansicpg1252`): Buffer =>
  Buffer.from(`{\\rtf1${head}${body}}`, 'latin1');

const read = (bytes: Uint8Array): Promise<Extraction> =>
  extract({ bytes, fileName: 'a.rtf', type: 'rtf' });

const linesOf = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, headings, kind }) =>
    [kind, ...headings, text.slice(start, end)].join(' | '),
  );

const lines = async (body: string, head?: string): Promise<string[]> =>
  linesOf(await read(rtf(body, head)));

test('each font has its code page, and Unicode replaces the fallback text for older programs', async () => {
  const fonts = String.raw`{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}{\f3\fcharset2 Symbol;}}`;
  expect(
    await lines(
      String.raw`${fonts}\f0 Caf\'e9 \u8364?5 \f1 \'cf\'f0\'e8\'f7\'e0\'eb\f0  {\f2\'83\'5c\'83R} {\uc2\u26085\'93\'fa} \u-10179?\u-8704? {\f3\'b7}\par`,
    ),
  ).toEqual(['prose | Café €5 Причал ソコ 日 😀 •']);
  expect(await lines(String.raw`\'cf\'f0\par`, String.raw`\ansi\ansicpg1251`)).toEqual([
    'prose | Пр',
  ]);
  const utf8 = await read(Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252 Køge, før ni\par}`));
  expect(linesOf(utf8)).toEqual(['prose | Køge, før ni']);
});

test('invisible text and pictures are skipped', async () => {
  const picture = String.raw`{\pict\pngblip 89504e47}{\pict\bin6 }}}}}}}`;
  const body = String.raw`{\*\generator X;}{\info{\title Berths}{\author Ida}}{\*\bkmkstart a}Seen{\v  hidden}{\deleted  gone}, {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt a link}}.${picture}{\upr{old}{\*\ud{new}}}\par`;
  const extraction = await read(rtf(body));
  expect(linesOf(extraction)).toEqual(['prose | Seen, a link.new']);
  expect(extraction.title).toBe('Berths');
});

test('headings, lists and code are detected by style, level and marker', async () => {
  const styles = String.raw`{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2\outlinelevel1 Zwischentitel;}{\*\cs3 Strong;}{\s4 HTML Preformatted;}}`;
  const body = String.raw`\pard\s1 Pump\par\pard\s2 Winter\par\pard{\listtext 1.\tab}Close the tap.\par{\pntext\'b7\tab}Drain it.\par\pard\ls2 Dry it.\par\pard\s4 on:\par   off\par\pard\outlinelevel0 End\par`;
  expect(await lines(styles + body)).toEqual([
    'heading | Pump',
    'heading | Pump | Winter',
    'list | Pump | Winter | 1. Close the tap.',
    'list | Pump | Winter | - Drain it.',
    'list | Pump | Winter | - Dry it.',
    'code | Pump | Winter | on:\n  off',
    'heading | End',
  ]);
});

test('rows carry their column names, and a merged value is repeated in each row it covers', async () => {
  const row = (cells: string[], marks: string[] = []): string =>
    String.raw`\trowd${cells.map((_, index) => `${marks[index] ?? ''}\\cellx${index}`).join('')}${cells.map((cell) => String.raw`\pard\intbl ${cell}\cell`).join('')}\row`;
  const table = [
    row(['Region', 'Month', 'Sum']),
    row(['North', 'May', '12'], [String.raw`\clvmgf`]),
    row(['', String.raw`June\par (half)`, '15'], [String.raw`\clvmrg`]),
  ].join('');
  expect(await lines(String.raw`Before\par${table}\pard After\par${row(['A frame'])}`)).toEqual([
    'prose | Before',
    'table | Region · Month · Sum',
    'table | Region: North · Month: May · Sum: 12',
    'table | Region: North · Month: June (half) · Sum: 15',
    'prose | After',
    'prose | A frame',
  ]);
});

test('notes, text boxes, headers, footers and comments are read once each', async () => {
  const body = String.raw`{\headerl Harbour office\par}{\headerr Harbour office\par}{\footer {\field{\*\fldinst PAGE}{\fldrslt 3}}\par}Rent is due.{\super\chftn}{\footnote {\super\chftn} By the fifth.} See{\*\atnid I}{\*\atnauthor Ida}{\*\annotation Ask first.}{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt In a box.\par}}{\shprslt old}} below.\par`;
  expect(await lines(body)).toEqual([
    'prose | Rent is due.[1] See below.',
    'prose | In a box.',
    'list | 1. By the fifth.',
    'prose | Harbour office',
    'heading | Comments',
    'prose | Comments | Ida: Ask first.',
  ]);
});

test('a truncated file is read in part, with a note', async () => {
  const extraction = await read(Buffer.from(String.raw`{\rtf1{\b The tide {\i turns`));
  expect(linesOf(extraction)).toEqual(['prose | The tide turns']);
  expect(extraction.notes).toEqual([
    'This document is damaged or incomplete. Engram read what it could.',
  ]);
  await expect(read(Buffer.from('The tide turns'))).rejects.toMatchObject({ code: 'damaged' });
});

test('deep nesting and repeated words are read quickly', async () => {
  const deep = await read(Buffer.from(`{\\rtf1 ${'{'.repeat(2_000_000)}text`));
  expect(linesOf(deep)).toEqual(['prose | text']);
  const table = await read(rtf(String.raw`${String.raw`\trowd\cellx1`.repeat(200_000)}text\par`));
  expect(linesOf(table)).toEqual(['prose | text']);
});

test('any bytes give text or a clear message', async () => {
  const pieces = String.raw`{|}|\par|\cell|\row|\intbl|\'e9|\'|\u-3|\uc9|\bin4|\*|\|\footnote|\header|{\fonttbl|{\stylesheet|\s1|\f1|\trowd|\clvmrg|\cellx|text|${'\xff'}`;
  const anything = fc.array(fc.constantFrom(...pieces.split('|')));
  const unexpected: unknown[] = [];
  for (const parts of fc.sample(anything, { numRuns: 300, seed: 7 })) {
    await read(rtf(parts.join(''))).catch((error: unknown) => {
      if (!(error instanceof ExtractionError) || error.cause !== undefined) unexpected.push(error);
    });
  }
  expect(unexpected).toEqual([]);
});
