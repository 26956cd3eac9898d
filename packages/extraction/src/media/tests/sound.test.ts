import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExtractionError } from '../../errors.ts';
import type { FileType } from '../../types.ts';
import type { ByteSource } from '../byte-source.ts';
import { createPieceCutter, type SoundPiece } from '../pieces.ts';
import { readRecording } from '../recording.ts';
import { type SoundOptions, soundOf } from '../sound.ts';
import { analyzeTone, wavOf } from './tones.test-setup.ts';

const ROOMY: SoundOptions = { maxBytes: 24 << 20, maxMs: 600_000 };

const fixture = (path: string): Uint8Array =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '..', '..', '..', 'fixtures', path)));

async function pieces(
  source: Uint8Array | ByteSource,
  type: FileType,
  options: Partial<SoundOptions> = {},
): Promise<SoundPiece[]> {
  const collected: SoundPiece[] = [];
  for await (const piece of soundOf(source, type, { ...ROOMY, ...options })) collected.push(piece);
  return collected;
}

async function refusal(source: Uint8Array, type: FileType, options = {}): Promise<ExtractionError> {
  const error: unknown = await pieces(source, type, options).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ExtractionError)) throw new Error('The file was read.', { cause: error });
  return error;
}

describe('uncompressed sound', () => {
  test.each([
    { rate: 44_100, channels: 2, bits: 16 },
    { rate: 48_000, channels: 1, bits: 24 },
    { rate: 8000, channels: 1, bits: 8 },
    { rate: 16_000, channels: 1, bits: 16 },
    { rate: 22_050, channels: 2, bits: 32 },
  ])('sound is converted to 16 kHz mono without audible changes: %j', async (format) => {
    const [piece, ...others] = await pieces(wavOf([{ hertz: 440, seconds: 2 }], format), 'wav');
    expect(others).toEqual([]);
    expect(piece).toMatchObject({ startMs: 0, mediaType: 'audio/wav', fileName: 'sound.wav' });
    expect(piece?.endMs).toBeGreaterThan(1990);
    const tone = analyzeTone(piece?.bytes ?? new Uint8Array());
    expect(tone.hertz).toBeCloseTo(440, 0);
    expect(tone.loudest).toBeGreaterThan(0.48);
    expect(tone.loudest).toBeLessThan(0.53);
  });

  test('frequencies above the limit of 16 kHz sound do not alias', async () => {
    const high = wavOf([{ hertz: 15_000, seconds: 1 }], { rate: 48_000, channels: 1, bits: 16 });
    const [piece] = await pieces(high, 'wav');
    // A tone starts and ends with a step, which is audible.
    const middle = piece?.bytes.slice(0, 44 + 28_000).fill(0, 44, 44 + 4000);
    expect(analyzeTone(middle ?? new Uint8Array()).loudest).toBeLessThan(0.01);
  });

  test('sound is split at quiet points', async () => {
    const speech = wavOf(
      [
        { hertz: 300, seconds: 1.8 },
        { hertz: 0, seconds: 0.2 },
        { hertz: 600, seconds: 1.5 },
      ],
      { rate: 16_000, channels: 1, bits: 16 },
    );
    const [first, second, ...others] = await pieces(speech, 'wav', { maxMs: 2200 });
    expect(others).toEqual([]);
    expect(first?.endMs).toBeGreaterThan(1800);
    expect(first?.endMs).toBeLessThan(2000);
    expect(second?.startMs).toBe(first?.endMs);
    expect(second?.endMs).toBe(3500);
  });

  test('silence and very short sound give no pieces', async () => {
    const format = { rate: 16_000, channels: 1, bits: 16 };
    expect(await pieces(wavOf([{ hertz: 0, seconds: 3 }], format), 'wav')).toEqual([]);
    expect(await pieces(wavOf([{ hertz: 440, seconds: 0.05 }], format), 'wav')).toEqual([]);
  });

  test.each(['wav/120-wav-tone/bell.wav', 'avi/127-avi/gulls.avi', 'mkv/126-mkv-pcm/foghorn.mkv'])(
    '%s is decoded',
    async (path) => {
      const [type = '', ...rest] = path.split('/');
      const [piece] = await pieces(fixture(rest.join('/')), type as FileType, { pcmOnly: true });
      expect(analyzeTone(piece?.bytes ?? new Uint8Array()).hertz).toBeCloseTo(440, -1);
    },
  );

  test('a long recording is never completely in memory', async () => {
    const head = wavOf([], { rate: 16_000, channels: 1, bits: 16 });
    const size = 44 + 64_000_000;
    new DataView(head.buffer).setUint32(40, size - 44, true);
    new DataView(head.buffer).setUint32(4, size - 8, true);
    let largest = 0;
    const source: ByteSource = {
      size,
      async read(start, end) {
        largest = Math.max(largest, end - start);
        const bytes = new Uint8Array(end - start).fill(7);
        for (let index = start; index < Math.min(44, end); index += 1)
          bytes[index - start] = head[index] ?? 0;
        return bytes;
      },
    };
    let lastStart = 0;
    let count = 0;
    for await (const { startMs, endMs, bytes } of soundOf(source, 'wav', {
      maxBytes: 8 << 20,
      maxMs: 120_000,
    })) {
      expect(bytes.length).toBeLessThanOrEqual(8 << 20);
      expect(startMs).toBe(lastStart);
      lastStart = endMs;
      count += 1;
    }
    expect(lastStart).toBe(2_000_000);
    expect(count).toBeGreaterThan(16);
    expect(largest).toBeLessThanOrEqual(2 << 20);
  });
});

describe('compressed sound', () => {
  const coast = fixture('122-mp3-tags-and-chapters/coast.mp3');
  /** Twelve seconds of sound, without the tags in between. */
  async function long(): Promise<Uint8Array> {
    const [piece] = await pieces(coast, 'mp3');
    const frames = piece?.bytes ?? new Uint8Array();
    return new Uint8Array(Buffer.concat(Array.from({ length: 10 }, () => frames)));
  }

  test('compressed sound is split without decoding, with overlap and increasing times', async () => {
    const cutPieces = await pieces(await long(), 'mp3', { maxMs: 4000, overlapMs: 500 });
    expect(cutPieces.length).toBeGreaterThan(2);
    for (const { startMs, endMs, mediaType, bytes } of cutPieces) {
      expect(endMs - startMs).toBeLessThanOrEqual(4000);
      expect(mediaType).toBe('audio/mpeg');
      const { durationMs } = await readRecording(bytes, 'mp3');
      expect(Math.abs((durationMs ?? 0) - (endMs - startMs))).toBeLessThan(150);
    }
    for (const [index, { startMs }] of cutPieces.slice(1).entries()) {
      expect(startMs).toBeGreaterThan(cutPieces[index]?.startMs ?? 0);
      const overlap = (cutPieces[index]?.endMs ?? 0) - startMs;
      expect(overlap).toBeGreaterThan(400);
      expect(overlap).toBeLessThan(600);
    }
  });

  test('pieces stay within the size limit of a server', async () => {
    const cutPieces = await pieces(await long(), 'mp3', { maxBytes: 65_536 + 8000 });
    expect(cutPieces.length).toBeGreaterThan(3);
    for (const { bytes } of cutPieces) expect(bytes.length).toBeLessThanOrEqual(8000);
  });

  test('mp3 is decoded for a model without decoders', async () => {
    const [piece] = await pieces(coast, 'mp3', { pcmOnly: true });
    expect(analyzeTone(piece?.bytes ?? new Uint8Array()).hertz).toBeCloseTo(330, -1);
  });

  test.each([
    ['ogg', '200-opus/tide.opus'],
    ['weba', '205-weba/call.weba'],
    ['webm', '206-webm/screen.webm'],
    ['flac', '204-flac/quay.flac'],
  ] as const)('sound of %s is decoded for a model without decoders', async (type, path) => {
    const [piece, ...others] = await pieces(fixture(path), type, { pcmOnly: true });
    expect(others).toEqual([]);
    const { hertz, loudest, ms } = analyzeTone(piece?.bytes ?? new Uint8Array());
    expect(hertz).toBeCloseTo(440, -1);
    expect(loudest).toBeGreaterThan(0.45);
    expect(ms).toBeGreaterThan(950);
    expect(ms).toBeLessThan(1100);
  });

  test.each([
    ['m4a', '202-m4a/memo.m4a', 'sound.m4a', 'mp4'],
    ['aac', '203-aac/memo.aac', 'sound.m4a', 'mp4'],
    ['ogg', '200-opus/tide.opus', 'sound.webm', 'webm'],
    ['ogg', '201-ogg-vorbis/tide.ogg', 'sound.webm', 'webm'],
    ['flac', '204-flac/quay.flac', 'sound.flac', 'flac'],
  ] as const)('sound of %s is repackaged for a provider: %s', async (type, path, name, packed) => {
    const [piece, ...others] = await pieces(fixture(path), type);
    expect(others).toEqual([]);
    expect(piece).toMatchObject({ startMs: 0, fileName: name });
    const { durationMs, hasSound } = await readRecording(piece?.bytes ?? new Uint8Array(), packed);
    expect(hasSound).toBe(true);
    expect(durationMs).toBeGreaterThan(950);
    expect(durationMs).toBeLessThan(1200);
  });

  test.each([
    ['mp4', '123-mp4/lighthouse.mp4'],
    ['mov', '125-mov/ferry.mov'],
  ] as const)('sound is repackaged from %s without its pictures', async (type, path) => {
    const [piece, ...others] = await pieces(fixture(path), type);
    expect(others).toEqual([]);
    expect(piece).toMatchObject({ startMs: 0, mediaType: 'audio/mp4', fileName: 'sound.m4a' });
    const repacked = await readRecording(piece?.bytes ?? new Uint8Array(), 'mp4');
    expect(repacked).toMatchObject({ hasSound: true, hasPicture: false });
    expect(repacked.durationMs).toBeGreaterThan(900);
  });

  test('a format that only ffmpeg decodes fails with a clear message', async () => {
    const error = await refusal(fixture('123-mp4/lighthouse.mp4'), 'mp4', { pcmOnly: true });
    expect(error.code).toBe('unsupported');
    expect(error.message).toBe('The sound of this recording (aac) cannot be read without ffmpeg.');
    const gulls = fixture('127-avi/gulls.avi');
    const format = Buffer.from(gulls).lastIndexOf('strf');
    new DataView(gulls.buffer).setUint16(format + 8, 0x20_00, true);
    expect((await refusal(gulls, 'avi')).message).toContain('without ffmpeg');
  });
});

describe('invalid files', () => {
  test('a video without sound gives no pieces', async () => {
    expect(await pieces(fixture('124-mp4-without-sound/mute.mp4'), 'mp4')).toEqual([]);
  });

  test('truncated sound is read to its end', async () => {
    const wav = await pieces(fixture('131-wav-cut/cut.wav'), 'wav');
    expect(wav.map(({ endMs }) => endMs)).toEqual([553]);
    const [mp4] = await pieces(fixture('129-mp4-cut-at-the-end/cut-end.mp4'), 'mp4');
    expect(mp4?.endMs).toBeGreaterThan(200);
    expect(mp4?.endMs).toBeLessThan(1000);
  });

  test('reading stops at unknown data at the end of a Matroska file', async () => {
    const mkv = Buffer.from(fixture('126-mkv-pcm/foghorn.mkv'));
    const segment = mkv.indexOf(Buffer.from('18538067', 'hex')) + 4;
    const junk = Buffer.from('2ad1d30100000000000010aabbccddeeff00112233445566778899', 'hex');
    const withJunk = Buffer.concat([mkv, junk]);
    const width = Math.clz32(mkv[segment] ?? 1) - 24;
    expect(width).toBe(7);
    // The size of the segment without its length marker, increased by the junk.
    withJunk.writeUIntBE(mkv.readUIntBE(segment + 2, 6) + junk.length, segment + 2, 6);
    const [piece] = await pieces(new Uint8Array(withJunk), 'mkv');
    expect(piece?.endMs).toBe(500);
  });

  test('reading stops at a Matroska element without a valid size', async () => {
    const mkv = Buffer.from(fixture('126-mkv-pcm/foghorn.mkv'));
    const first = mkv.indexOf(Buffer.from('18538067', 'hex')) + 12;
    expect(mkv.subarray(first, first + 4).toString('hex')).toBe('114d9b74');
    // A length of more than eight bytes.
    mkv[first + 4] = 0;
    await expect(pieces(new Uint8Array(mkv), 'mkv')).rejects.toThrow(ExtractionError);
  });

  test.each([
    ['aac', '203-aac/memo.aac', [[570, 0x95]]],
    [
      'flac',
      '204-flac/quay.flac',
      [
        [7, 0x35],
        [61, 0xf3],
      ],
    ],
  ] as const)('reading ends in a damaged %s', async (type, path, damage) => {
    const bytes = fixture(path);
    for (const [at, value] of damage) bytes[at] = value;
    await pieces(bytes, type);
    expect((await readRecording(bytes, type)).hasSound).toBe(true);
  });

  test('random bytes and broken files give pieces or a clear message', async () => {
    const names = [
      ['mp4', '123-mp4/lighthouse.mp4'],
      ['mkv', '126-mkv-pcm/foghorn.mkv'],
      ['avi', '127-avi/gulls.avi'],
      ['wav', '120-wav-tone/bell.wav'],
      ['mp3', '122-mp3-tags-and-chapters/coast.mp3'],
      ['ogg', '200-opus/tide.opus'],
      ['ogg', '201-ogg-vorbis/tide.ogg'],
      ['m4a', '202-m4a/memo.m4a'],
      ['aac', '203-aac/memo.aac'],
      ['flac', '204-flac/quay.flac'],
      ['weba', '205-weba/call.weba'],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 30 }),
        fc.boolean(),
        async ([type, path], damage, pcmOnly) => {
          const bytes = fixture(path);
          for (const [at, value] of damage) bytes[at % Math.min(600, bytes.length)] = value;
          const read = async (): Promise<boolean> => {
            const cutPieces = await pieces(bytes, type, { pcmOnly });
            await readRecording(bytes, type);
            return cutPieces.every(({ startMs, endMs }) => endMs > startMs);
          };
          const isExpected = await read().catch(
            (error: unknown) => error instanceof ExtractionError,
          );
          expect(isExpected).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('pieces are consecutive, no longer than requested, and contain every sample', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 12 }),
      fc.integer({ min: 1000, max: 3000 }),
      (lengths, maxMs) => {
        const cutter = createPieceCutter({ maxMs });
        const allPieces = lengths.flatMap((length) => [
          ...cutter.push(new Float32Array(length).fill(0.25)),
        ]);
        allPieces.push(...cutter.end());
        const samples = lengths.reduce((sum, length) => sum + length, 0);
        let lastStart = 0;
        for (const { startMs, endMs } of allPieces) {
          expect(startMs).toBe(lastStart);
          expect(endMs - startMs).toBeLessThanOrEqual(maxMs + 1);
          lastStart = endMs;
        }
        expect(Math.abs(samples / 16 - lastStart)).toBeLessThanOrEqual(101);
      },
    ),
  );
});
