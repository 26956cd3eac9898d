import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BufferSource, EncodedPacketSink, Input, WEBM } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { writeWebm } from '../webm.ts';

const open = (file: Uint8Array): Input =>
  new Input({ formats: [WEBM], source: new BufferSource(file) });

test('a clip holds every frame at its time, and the size of its pictures', async () => {
  const frames = [
    { time: 0, key: true, data: Buffer.from('first') },
    { time: 40, key: false, data: Buffer.from('second') },
    { time: 5000, key: true, data: Buffer.from('third') },
    { time: 5040, key: false, data: Buffer.from('fourth') },
  ];
  const clip = open(await writeWebm({ width: 1440, height: 900, duration: 6000, frames }));
  const track = await clip.getPrimaryVideoTrack();
  if (!track) throw new Error('The clip has no video.');
  expect([track.codec, track.codedWidth, track.codedHeight]).toEqual(['vp9', 1440, 900]);
  const read = [];
  for await (const { timestamp, type, data } of new EncodedPacketSink(track).packets()) {
    read.push({ time: timestamp * 1000, key: type === 'key', data: Buffer.from(data) });
  }
  expect(read).toEqual(frames);
});

const demos = ['wide', 'phone'].flatMap((size) =>
  ['light', 'dark'].map((scheme) => [size, scheme]),
);

describe.each(demos)('the recorded demo for a %s window in %s', (size, scheme) => {
  const demo = path.resolve(import.meta.dirname, '../../../apps/web/public/demo');

  test('lasts 15 to 25 seconds', async () => {
    const clip = open(readFileSync(path.join(demo, `engram-${size}-${scheme}.webm`)));
    const seconds = await clip.computeDuration();
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(25);
  });

  test('is small, its still picture too', () => {
    expect(statSync(path.join(demo, `engram-${size}-${scheme}.webm`)).size).toBeLessThan(1_200_000);
    expect(statSync(path.join(demo, `engram-${size}-${scheme}.webp`)).size).toBeLessThan(60_000);
  });
});
