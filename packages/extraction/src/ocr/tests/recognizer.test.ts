import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExtractionError } from '../../errors.ts';
import {
  pictures,
  type PrintedPicture,
  printedPictures,
} from '../../pictures/tests/printed-pictures.test-setup.ts';
import { similarity } from '../../tests/similarity.test-setup.ts';
import type { RecognizedLine } from '../../types.ts';
import { EngineError } from '../engine.ts';
import { createRecognizer } from '../recognizer.ts';

const recognizer = createRecognizer({ languages: ['eng'] });
let printed: PrintedPicture[];

beforeAll(async () => {
  printed = await printedPictures();
});
afterAll(() => recognizer.close());

function named(name: string): PrintedPicture {
  const match = printed.find((picture) => picture.name === name);
  if (!match) throw new Error(`There is no picture ${name}.`);
  return match;
}

const readings = new Map<string, Promise<RecognizedLine[]>>();

/** The text of a picture. Each picture is recognized once. */
function read(name: string): Promise<RecognizedLine[]> {
  const reading = readings.get(name) ?? recognizer.recognize(named(name).bytes);
  readings.set(name, reading);
  return reading;
}

const textOf = (lines: readonly RecognizedLine[]): string =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' ')).join('\n');

const wordAt = (lines: readonly RecognizedLine[], text: string) =>
  lines.flatMap(({ words }) => words).find((word) => word.text === text);

describe('text recognition', () => {
  test.each([
    'straight',
    'turned 90',
    'turned 180',
    'turned 270',
    'askew 8',
    'light on dark',
    '8 point sans at 100 dpi',
    'photographed',
    'receipt',
    'short turned 180',
    'short turned 270',
  ])('text is recognized: %s', async (name) => {
    const { lines } = named(name);
    const text = textOf(await read(name));
    expect(lines.filter((line) => similarity(text, line) < 0.85)).toEqual([]);
  });

  test.each(['two columns', 'columns turned 90'])(
    '%s are read one after the other',
    async (name) => {
      const { lines } = named(name);
      const recognized = await read(name);
      expect(textOf(recognized).split('\n')).toEqual(lines);
      const blocks = recognized.map(({ block }) => block);
      expect(blocks).toEqual([...blocks].sort((a, b) => a - b));
      expect(recognized[0]?.block).not.toBe(recognized.at(-1)?.block);
    },
  );

  test('boxes refer to the picture as displayed', async () => {
    const upright = wordAt(await read('straight'), 'Margaret');
    const turned = wordAt(await read('turned 90'), 'Margaret');
    const over = wordAt(await read('turned 180'), 'Margaret');
    if (!upright || !turned || !over) throw new Error('The name was not read.');
    expect(upright.top).toBeGreaterThan(0.5);
    expect(over.left + over.width).toBeCloseTo(1 - upright.left, 2);
    expect(over.top + over.height).toBeCloseTo(1 - upright.top, 2);
    expect(turned.top).toBeCloseTo(upright.left, 2);
    expect(turned.left + turned.width).toBeCloseTo(1 - upright.top, 2);
  });

  test('a picture without text gives no text', async () => {
    // Noise alone takes as long as all other pictures together. The benchmark covers it.
    const quick = (await pictures()).filter(({ name }) => name !== 'grain');
    for (const { name, bytes } of quick) {
      expect({ name, text: textOf(await recognizer.recognize(bytes)) }).toEqual({ name, text: '' });
    }
  });
});

describe('failures', () => {
  test('a damaged picture fails, and the next one is recognized', async () => {
    const reading = recognizer.recognize(Buffer.from('\x89PNG\r\n\x1a\nnot one', 'latin1'));
    await expect(reading).rejects.toBeInstanceOf(ExtractionError);
    expect(await recognizer.recognize(named('receipt').bytes)).not.toEqual([]);
  });

  test('recognition can be aborted, and the next picture is recognized', async () => {
    const stop = new AbortController();
    const reading = recognizer.recognize(named('straight').bytes, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(await recognizer.recognize(named('receipt').bytes)).not.toEqual([]);
  });

  test('the error names a language without data', () => {
    expect(() => createRecognizer({ languages: ['eng', 'xxx', '../eng'] })).toThrow(
      'There is no OCR data for: xxx, ../eng.',
    );
  });

  test('language data is loaded from a folder, and broken data fails one picture but not the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'engram-ocr-'));
    const broken = createRecognizer({
      languages: ['lat'],
      dataFolder: await withBrokenData(folder),
    });
    try {
      await expect(broken.recognize(named('receipt').bytes)).rejects.toBeInstanceOf(EngineError);
    } finally {
      await broken.close();
      await rm(folder, { recursive: true });
    }
  });
});

async function withBrokenData(folder: string): Promise<string> {
  await writeFile(join(folder, 'lat.traineddata'), 'no data');
  expect(await readFile(join(folder, 'lat.traineddata'), 'utf8')).toBe('no data');
  return folder;
}
