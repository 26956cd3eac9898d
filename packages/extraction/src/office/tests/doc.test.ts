import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectType, extract, type Extraction, ExtractionError } from '../../index.ts';
import { wordDocument } from './word-document.test-setup.ts';

const read = (bytes: Uint8Array): Promise<Extraction> =>
  extract({ bytes, fileName: 'lease.doc', type: 'doc' });

const lines = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, kind, headings }) =>
    [kind, ...headings, text.slice(start, end)].join(' | '),
  );

const lease = wordDocument({
  title: 'Lease of berth A4',
  body: [
    { text: 'Lease of a berth', style: 'title' },
    {
      text: 'Between the harbour and Ida Berg.\x02 Signed on \x13 DATE \\@ "d.M.yyyy" \x142.3.2026\x15.',
    },
    { text: 'What is paid', style: 'heading2' },
    { text: 'Berth', ends: 'cell' },
    { text: 'Rent', ends: 'cell' },
    { text: 'Deposit', ends: 'cell' },
    { text: '', ends: 'row' },
    { text: 'A4', ends: 'cell' },
    { text: '412 €', ends: 'cell' },
    { text: '', ends: 'cell' },
    { text: '', ends: 'row' },
    { text: 'How to leave', style: 'ownHeading' },
    { text: 'Give notice.', list: 1 },
    { text: 'Return the key.', list: 1 },
    { text: 'Žofie keeps the list.', list: 2 },
    { text: 'The rent is not never lowered.', deleted: ' not' },
    {
      text: 'See \x13 HYPERLINK "https://harbour.example" \x14the rules\x15 and \x13 XE "rules" \x15this.',
    },
  ],
  footnotes: ['Born in 1980.'],
  edges: ['', 'Harbour of Heron', '', 'Page \x13 PAGE \x141\x15\rof the lease'],
  comment: { author: 'Tom', text: 'Is this right?' },
  box: 'Keep this paper.',
});

test('a document is read with its headings, tables, lists, notes, headers, footers and comments', async () => {
  expect(await detectType(lease, 'unnamed')).toBe('doc');
  const extraction = await read(lease);
  expect(extraction.title).toBe('Lease of berth A4');
  const top = 'Lease of a berth';
  expect(lines(extraction)).toEqual([
    `heading | ${top}`,
    `prose | ${top} | Between the harbour and Ida Berg.[1] Signed on 2.3.2026.`,
    `heading | ${top} | What is paid`,
    `table | ${top} | What is paid | Berth · Rent · Deposit`,
    `table | ${top} | What is paid | Berth: A4 · Rent: 412 €`,
    'heading | How to leave',
    'list | How to leave | 1. Give notice.',
    'list | How to leave | 2. Return the key.',
    'list | How to leave | - Žofie keeps the list.',
    'prose | How to leave | The rent is never lowered.',
    'prose | How to leave | See the rules and this.',
    'list | 1. Born in 1980.',
    'prose | Keep this paper.',
    'prose | Harbour of Heron',
    'prose | Page 1\nof the lease',
    'heading | Comments',
    'prose | Comments | Tom: Is this right?',
  ]);
});

test('an unclosed field hides no text', async () => {
  const { text } = await read(
    wordDocument({ body: [{ text: 'One \x13 two' }, { text: 'three \x15\x14 four' }] }),
  );
  expect(text).toContain('four');
});

test.each([
  [
    { encrypted: true },
    'encrypted',
    'This file is password-protected in an old format that Engram cannot open. Save it without the password and upload it again.',
  ],
  [
    { version: 0x65 },
    'unsupported',
    'This document is from Word 95 or older. Save it as docx and upload it again.',
  ],
])('a document with %o is refused with a clear message', async (source, code, message) => {
  const bytes = wordDocument({ body: [{ text: 'Hidden' }], ...source });
  await expect(read(bytes)).rejects.toMatchObject({ code, message });
});

test('a document with changed or missing bytes is read or fails with a clear message', async () => {
  const damage = fc.tuple(
    fc.integer({ min: 400, max: lease.length }),
    fc.array(fc.tuple(fc.nat(lease.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(damage, async ([length, changes]) => {
      const bytes = lease.slice(0, length);
      for (const [at, value] of changes) if (at < length) bytes[at] = value;
      const failure = await read(bytes).then(
        () => null,
        (error: unknown) => error,
      );
      const isExplained =
        failure instanceof ExtractionError && !(failure.cause instanceof RangeError);
      expect(failure === null || isExplained).toBe(true);
    }),
    { numRuns: 150 },
  );
});
