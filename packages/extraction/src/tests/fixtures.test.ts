import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectType, extract, ExtractionError } from '../index.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures');

async function read(bytes: Uint8Array, fileName: string): Promise<unknown> {
  const type = await detectType(bytes, fileName);
  if (type === null) return { type };
  try {
    const { text, segments, durationMs, words, requests, locked, ...rest } = await extract({
      bytes,
      fileName,
      type,
    });
    const optional = {
      ...(durationMs === null ? {} : { durationMs }),
      ...(words.length === 0 ? {} : { words }),
      ...(requests.length === 0 ? {} : { requests }),
      ...(locked ? { locked } : {}),
    };
    const texts = segments.map(({ start, end, location, headings, kind }) => {
      return { kind, location, headings, text: text.slice(start, end) };
    });
    return { type, ...rest, ...optional, segments: texts };
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return { type, error: { code: error.code, message: error.message } };
  }
}

test.each(readdirSync(folder))('reads fixture %s as expected', async (name) => {
  const fileName = readdirSync(join(folder, name)).find((file) => file !== 'expected.json') ?? '';
  const bytes = readFileSync(join(folder, name, fileName));
  const expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as unknown;
  expect(await read(bytes, fileName)).toEqual(expected);
});
