import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createRecognizer, detectType, HEAD_BYTES } from '../index.ts';
import { readWithPictures } from '../pictures/tests/read-with-pictures.test-setup.ts';
import { similarity } from './similarity.test-setup.ts';

/** Real files of every type, stored outside the project. */
const root = join(import.meta.dirname, '../../../../../shared/evaldata/files');

interface Row {
  file: string;
  kind: string;
  must_contain: string[];
  hard?: boolean;
}

const list = join(root, 'expected.jsonl');
const rows = existsSync(list)
  ? readFileSync(list, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
      .filter(({ file }) => /^(?:pdf|jpeg|png|bmp|gif)\//.test(file))
  : [];

describe.runIf(rows.length > 0)('pictures of the evaluation files', () => {
  const recognizer = createRecognizer({ languages: ['eng'] });
  afterAll(() => recognizer.close());

  const read = async (file: string): Promise<string> => {
    const bytes = readFileSync(join(root, file));
    const type = await detectType(bytes.subarray(0, HEAD_BYTES), file);
    if (type === null) throw new Error('not recognized');
    return (await readWithPictures({ bytes, fileName: file, type }, recognizer)).text;
  };

  const missed = (text: string, { must_contain }: Row): string[] =>
    must_contain.filter((phrase) => similarity(text, phrase) < 0.85);
  const ocr = rows.filter(({ kind }) => kind === 'ocr');

  test.for(ocr.filter(({ hard }) => !hard))('$file is recognized', async (row) => {
    expect(missed(await read(row.file), row)).toEqual([]);
  });

  test.for(ocr.filter(({ hard }) => hard))(
    '$file, which is hard to recognize, is reported',
    async (row, context) => {
      const text = await read(row.file);
      const phrases = row.must_contain.length;
      await context.annotate(`missed ${missed(text, row).length} of ${phrases}`);
      expect(text).toBeTypeOf('string');
    },
  );

  test.for(rows.filter(({ kind }) => kind === 'noText'))('$file has no text', async ({ file }) => {
    expect(await read(file)).toBe('');
  });
});

test.skipIf(rows.length > 0)(
  'the evaluation files are missing: ../shared/evaldata was not checked',
  () => {
    expect(rows).toEqual([]);
  },
);
