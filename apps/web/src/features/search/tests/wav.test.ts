import { expect, test } from 'vitest';
import { encodeWav } from '../dictation.ts';

test('samples become a WAV of 16 kHz, 16 bits and one channel', async () => {
  const wav = encodeWav(Float32Array.from([0, 0.5, -1, 3]));
  const bytes = Buffer.from(await wav.arrayBuffer());
  expect(wav.type).toBe('audio/wav');
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect([bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)]).toEqual([
    1, 16_000, 16,
  ]);
  expect(bytes.readUInt32LE(40)).toBe(8);
  expect([0, 1, 2, 3].map((index) => bytes.readInt16LE(44 + index * 2))).toEqual([
    0, 16_384, -32_767, 32_767,
  ]);
});
