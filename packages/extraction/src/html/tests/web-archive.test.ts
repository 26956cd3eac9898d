import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { extract, ExtractionError, type FileType, readingViewOf } from '../../index.ts';

const FILES = [
  ['mht', '230-mht/cafe.mhtml'],
  ['webarchive', '232-webarchive/keeper.webarchive'],
] as const;

const fixture = (path: string, type: FileType) => {
  const file = join(import.meta.dirname, '..', '..', '..', 'fixtures', path);
  return { bytes: new Uint8Array(readFileSync(file)), fileName: path, type };
};

test.each(FILES)(
  'the view of a page in a %s shows the pictures saved with it',
  async (type, path) => {
    const { html } = await readingViewOf(fixture(path, type));
    expect(html).toMatch(/<img src="data:image\/webp;base64,[\w+/=]+" width="220" height="90"/);
    expect(html).not.toContain('https://');
  },
);

test.each(FILES)(
  'a damaged %s is read in part or fails with a clear message',
  async (type, path) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 60 }),
        async (damage) => {
          const input = fixture(path, type);
          for (const [at, value] of damage) input.bytes[at % input.bytes.length] = value;
          const isExpected = await extract(input).then(
            ({ text }) => typeof text === 'string',
            (error: unknown) => error instanceof ExtractionError,
          );
          expect(isExpected).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  },
);

test('a page whose parts contain each other is read to a maximum depth', async () => {
  const parts = Array.from(
    { length: 5000 },
    (_, index) => `Content-Type: multipart/related; boundary=b${index}\n\n--b${index}\n`,
  );
  const bytes = Buffer.from(`From: a\nSubject: b\nMIME-Version: 1.0\n${parts.join('')}\nend`);
  await expect(extract({ bytes, fileName: 'a.mht', type: 'mht' })).rejects.toThrow(ExtractionError);
});
