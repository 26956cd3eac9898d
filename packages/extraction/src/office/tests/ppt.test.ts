import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectType, extract, type Extraction, ExtractionError } from '../../index.ts';
import { presentation } from './presentation.test-setup.ts';

const read = (bytes: Uint8Array): Promise<Extraction> =>
  extract({ bytes, fileName: 'talk.ppt', type: 'ppt' });

const lines = ({ text, segments }: Extraction): string[] =>
  segments.map(({ start, end, location, headings }) => {
    const slide = 'slide' in location ? location.slide : 0;
    return [slide, ...headings, text.slice(start, end)].join(' | ');
  });

const talk = presentation(
  [
    { title: 'Two mills', body: ['North by the river', 'South by the lake'], box: 'A 東京 remark' },
    {
      title: 'Results',
      table: [
        ['Mill', 'Output'],
        ['North', '40 t'],
        ['South', '55 t'],
      ],
      notes: 'Mention the flood of 1953.\rAnd the dam.',
      footer: 'Annual meeting',
      comment: { author: 'Ida', text: 'Check the figures.' },
    },
    { body: ['Größe'], footer: 'Annual meeting' },
  ],
  { footer: 'Heron Mills Ltd' },
);

test('slides are read in presentation order, with notes, tables and comments', async () => {
  expect(await detectType(talk, 'unnamed')).toBe('ppt');
  const extraction = await read(talk);
  expect(extraction.parts).toBe(3);
  expect(lines(extraction)).toEqual([
    '1 | Two mills',
    '1 | Two mills | North by the river',
    '1 | Two mills | South by the lake',
    '1 | Two mills | A 東京 remark',
    '2 | Results',
    '2 | Results | Mill · Output',
    '2 | Results | Mill: North · Output: 40 t',
    '2 | Results | Mill: South · Output: 55 t',
    '2 | Results | Notes',
    '2 | Results | Notes | Mention the flood of 1953.',
    '2 | Results | Notes | And the dam.',
    '2 | Results | Comments',
    '2 | Results | Comments | Ida: Check the figures.',
    '3 | Größe',
    '2 | Annual meeting',
    '1 | Heron Mills Ltd',
  ]);
});

test('an encrypted presentation fails with a clear message', async () => {
  const locked = presentation([{ title: 'Secret' }], { encrypted: true });
  await expect(read(locked)).rejects.toMatchObject({
    code: 'encrypted',
    message:
      'This file is password-protected in an old format that Engram cannot open. Save it without the password and upload it again.',
  });
});

test('a truncated presentation is read in part', async () => {
  const slides = Array.from({ length: 60 }, (_, index) => ({
    title: `Slide number ${index + 1}`,
    body: ['x'.repeat(600)],
  }));
  const complete = presentation(slides);
  expect((await read(complete)).parts).toBe(60);
  const cut = await read(complete.subarray(0, Math.round(complete.length * 0.8)));
  expect(cut.text).toContain('xxx');
  expect(cut.notes).toEqual([
    'This presentation is damaged or incomplete. Engram read what it could.',
  ]);
  await expect(read(complete.subarray(0, 700))).rejects.toMatchObject({ code: 'damaged' });
});

test('a presentation with changed bytes is read or fails with a clear message', async () => {
  const changes = fc.array(fc.tuple(fc.nat(talk.length - 1), fc.nat(255)), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(changes, async (list) => {
      const bytes = talk.slice();
      for (const [at, byte] of list) bytes[at] = byte;
      const failure = await read(bytes).then(
        () => null,
        (error: unknown) => error,
      );
      expect(failure === null || failure instanceof ExtractionError).toBe(true);
    }),
    { numRuns: 400 },
  );
});
