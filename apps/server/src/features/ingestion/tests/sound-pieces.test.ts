import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordTones } from '../../../tests/tones.test-setup.ts';
import { createSoundPieces } from '../sound-pieces.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engram-sound-'));
});

afterAll(() => rm(folder, { recursive: true }));

const limits = { maxBytes: 1_000_000, maxMs: 1000, overlapMs: 0 };

/** Recordings of three pieces, and functions that read them. */
async function recordings(count: number) {
  const pieceOf = createSoundPieces();
  const paths = Array.from({ length: count }, (_, i) => join(folder, `${count}-${i}.wav`));
  const tone = recordTones([{ hertz: 440, seconds: 3 }]);
  for (const path of paths) await writeFile(path, tone);
  const startOf = async (recording: number, index: number): Promise<number | undefined> => {
    const filePath = paths[recording] ?? '';
    const file = { filePath, fileName: 'tone.wav', type: 'wav' } as const;
    const piece = await pieceOf({ file, path: undefined, index, limits, pcmOnly: false });
    return piece?.startMs;
  };
  // An open file can still be read, but not opened again.
  const removeAll = () => Promise.all(paths.map((path) => rm(path)));
  return { startOf, removeAll };
}

const missing = { code: 'ENOENT' };

test('recordings that are read alternately are each opened once', async () => {
  const { startOf, removeAll } = await recordings(8);
  const all = [...Array(8).keys()];
  for (const recording of all) expect(await startOf(recording, 0)).toBe(0);
  await removeAll();
  for (const index of [1, 2]) {
    for (const recording of all) expect(await startOf(recording, index)).toBeGreaterThan(0);
  }
});

test('beyond eight open recordings, the least recently used one is closed', async () => {
  const { startOf, removeAll } = await recordings(9);
  for (const recording of [0, 1, 2, 3, 4, 5, 6, 7]) await startOf(recording, 0);
  await startOf(0, 1);
  await startOf(8, 0);
  await removeAll();
  expect(await startOf(0, 2)).toBeGreaterThan(0);
  await expect(startOf(1, 1)).rejects.toMatchObject(missing);
});

test('a recording is opened again after its end and for an earlier piece', async () => {
  const { startOf, removeAll } = await recordings(1);
  expect(await startOf(0, 100)).toBeUndefined();
  expect(await startOf(0, 1)).toBeGreaterThan(0);
  expect(await startOf(0, 0)).toBe(0);
  await removeAll();
  await expect(startOf(0, 0)).rejects.toMatchObject(missing);
});
