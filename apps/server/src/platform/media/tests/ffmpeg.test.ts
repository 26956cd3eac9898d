import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SoundPiece } from '@engram/extraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFfmpeg, type Ffmpeg, FfmpegError } from '../ffmpeg.ts';
import { openFileSource } from '../file-source.ts';

const fixtures = path.join(import.meta.dirname, '../../../../../../packages/extraction/fixtures');
const log = { warn: (): void => undefined };

const installed = createFfmpeg({ ffmpeg: undefined, log });
await installed.settled();
const isInstalled = installed.describe().on;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'engram-ffmpeg-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function sound(ffmpeg: Ffmpeg, file: string, options = { maxMs: 60_000 }) {
  const pieces: SoundPiece[] = [];
  for await (const piece of ffmpeg.sound(file, options)) pieces.push(piece);
  return pieces;
}

describe.runIf(isInstalled)('with ffmpeg', () => {
  test('sound is decoded to 16 kHz WAV, in consecutive pieces', async () => {
    const [piece, ...others] = await sound(
      installed,
      path.join(fixtures, '123-mp4/lighthouse.mp4'),
    );
    expect(others).toEqual([]);
    expect(piece).toMatchObject({ startMs: 0, mediaType: 'audio/wav', fileName: 'sound.wav' });
    expect(piece?.endMs).toBeGreaterThan(950);
    expect(Buffer.from(piece?.bytes ?? []).readUInt32LE(24)).toBe(16_000);
  });

  test('a still is a JPEG of up to the requested size', async () => {
    const still = await installed.still(path.join(fixtures, '123-mp4/lighthouse.mp4'), {
      size: 16,
    });
    expect(Buffer.from(still ?? []).toString('hex', 0, 3)).toBe('ffd8ff');
    expect(
      await installed.still(path.join(fixtures, '120-wav-tone/bell.wav'), { size: 16 }),
    ).toBeNull();
  });

  test('a file name that looks like an option or an address is treated as a name', async () => {
    const names = ['-version.mp4', 'concat:a|b.mp4', 'a b;$(x) .mp4'];
    for (const name of names) {
      const file = path.join(folder, name);
      copyFileSync(path.join(fixtures, '123-mp4/lighthouse.mp4'), file);
      expect(await sound(installed, file)).toHaveLength(1);
    }
  });

  test('a file that refers to other files cannot read them', async () => {
    const secret = path.join(folder, 'secret.wav');
    copyFileSync(path.join(fixtures, '120-wav-tone/bell.wav'), secret);
    const lists = {
      'list.mp4': `ffconcat version 1.0\nfile '${secret}'\n`,
      'list.mov': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`,
    };
    for (const [name, text] of Object.entries(lists)) {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      await expect(sound(installed, file)).rejects.toThrow(FfmpegError);
    }
  });

  test('an unreadable file is refused with a clear message', async () => {
    const cut = path.join(fixtures, '128-mp4-cut/cut.mp4');
    await expect(sound(installed, cut)).rejects.toThrow('ffmpeg could not read the file.');
    expect(await installed.still(cut, { size: 64 })).toBeNull();
  });

  test('the process ends when the caller aborts', async () => {
    const caller = new AbortController();
    const reason = new Error('The file was deleted.');
    caller.abort(reason);
    const file = path.join(fixtures, '123-mp4/lighthouse.mp4');
    const options = { maxMs: 60_000, signal: caller.signal };
    await expect(sound(installed, file, options)).rejects.toBe(reason);
  });
});

test.skipIf(isInstalled)('ffmpeg is not installed: decoding with it was not checked', () => {
  expect(installed.describe().detail).toContain('not installed');
});

test('ffmpeg is found on the PATH, or at the configured path', async () => {
  const program = path.join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg');
  writeFileSync(program, '#!/bin/sh\nexit 1\n');
  chmodSync(program, 0o755);
  const searchPath = ['relative/folder', path.join(folder, 'absent'), folder].join(path.delimiter);
  const ffmpeg = createFfmpeg({ ffmpeg: undefined, searchPath, log });
  await ffmpeg.settled();
  expect(ffmpeg.describe()).toEqual({ on: true, detail: expect.stringContaining(program) });
  await expect(sound(ffmpeg, path.join(fixtures, '120-wav-tone/bell.wav'))).rejects.toThrow(
    'ffmpeg could not read the file.',
  );
  const set = createFfmpeg({ ffmpeg: program, searchPath: '', log });
  await set.settled();
  expect(set.describe().on).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'the process is killed when it takes too much memory',
  async () => {
    const hungry = path.join(folder, 'hungry');
    const code = 'const taken = []; setInterval(() => taken.push(Buffer.alloc(1e7, 1)), 10)';
    writeFileSync(hungry, `#!/bin/sh\nexec '${process.execPath}' -e '${code}'\n`);
    chmodSync(hungry, 0o755);
    const greedy = createFfmpeg({ ffmpeg: hungry, log, memoryMb: 150 });
    await expect(sound(greedy, path.join(fixtures, '120-wav-tone/bell.wav'))).rejects.toThrow(
      'ffmpeg could not read the file.',
    );
  },
);

test.each([
  [undefined, 'not installed'],
  ['none', 'ENGRAM_FFMPEG is set to none'],
  ['/nowhere/ffmpeg', 'names no executable program'],
])('without ffmpeg (%s) the message says so', async (setting, words) => {
  const ffmpeg = createFfmpeg({ ffmpeg: setting, searchPath: folder + 'x', log });
  await ffmpeg.settled();
  expect(ffmpeg.describe()).toEqual({ on: false, detail: expect.stringContaining(words) });
  const bell = path.join(fixtures, '120-wav-tone/bell.wav');
  await expect(sound(ffmpeg, bell)).rejects.toThrow(FfmpegError);
  await expect(ffmpeg.still(bell, { size: 64 })).rejects.toThrow(FfmpegError);
});

test('a file is read in the requested ranges', async () => {
  const file = path.join(folder, 'numbers');
  writeFileSync(
    file,
    Uint8Array.from({ length: 100 }, (unused, index) => index),
  );
  const source = await openFileSource(file);
  expect(source.size).toBe(100);
  expect([...(await source.read(10, 13))]).toEqual([10, 11, 12]);
  expect([...(await source.read(98, 120))]).toEqual([98, 99]);
  await source.close();
});
