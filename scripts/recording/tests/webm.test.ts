import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWebm } from '../webm.ts';

interface Element {
  id: number;
  /** Where its name begins. */
  at: number;
  body: Buffer;
}

/** Names of elements that hold others. */
const containers = new Set([
  0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1c53bb6b, 0xbb, 0xb7, 0x1f43b675,
]);

/** Every element of a WebM file in the order of the bytes, at any depth. */
function elementsOf(file: Buffer, from = 0, to = file.length): Element[] {
  const found: Element[] = [];
  for (let at = from; at < to;) {
    const idLength = Math.clz32(file[at] ?? 0) - 23;
    const id = file.readUIntBE(at, idLength);
    const sizeAt = at + idLength;
    const sizeLength = Math.clz32(file[sizeAt] ?? 0) - 23;
    const coded = file.subarray(sizeAt, sizeAt + sizeLength).toString('hex');
    const size = Number(BigInt(`0x${coded}`) & (2n ** BigInt(7 * sizeLength) - 1n));
    const start = sizeAt + sizeLength;
    found.push({ id, at, body: file.subarray(start, start + size) });
    if (containers.has(id)) found.push(...elementsOf(file, start, start + size));
    at = start + size;
  }
  return found;
}

const bodiesOf = (elements: Element[], id: number): Buffer[] =>
  elements.filter((element) => element.id === id).map(({ body }) => body);
const numberOf = (body: Buffer | undefined): number => Number(body?.readBigUInt64BE());

describe('a WebM file', () => {
  const frames = [
    { time: 0, key: true, data: Buffer.from('first') },
    { time: 40, key: false, data: Buffer.from('second') },
    { time: 5000, key: true, data: Buffer.from('third') },
    { time: 5040, key: false, data: Buffer.from('fourth') },
  ];
  const file = writeWebm({ width: 1440, height: 900, duration: 6000, frames });
  const elements = elementsOf(file);

  test('holds every frame at its time, key frames marked', () => {
    let cluster = 0;
    const blocks = elements.flatMap(({ id, body }) => {
      if (id === 0xe7) cluster = numberOf(body);
      if (id !== 0xa3) return [];
      const time = cluster + body.readInt16BE(1);
      return [{ time, key: body[3] === 0x80, data: Buffer.from(body.subarray(4)) }];
    });
    expect(blocks).toEqual(frames);
  });

  test('tells its size and how long it lasts', () => {
    expect(bodiesOf(elements, 0x4489)[0]?.readDoubleBE()).toBe(6000);
    expect(numberOf(bodiesOf(elements, 0xb0)[0])).toBe(1440);
    expect(numberOf(bodiesOf(elements, 0xba)[0])).toBe(900);
    expect(String(bodiesOf(elements, 0x86)[0])).toBe('V_VP9');
  });

  test('tells where to go on from a time', () => {
    const segment = elements.find(({ id }) => id === 0x18538067);
    const segmentStart = file.length - (segment?.body.length ?? 0);
    const clusters = elements.filter(({ id }) => id === 0x1f43b675);
    expect(bodiesOf(elements, 0xf1).map((body) => segmentStart + numberOf(body))).toEqual(
      clusters.map(({ at }) => at),
    );
    expect(bodiesOf(elements, 0xb3).map(numberOf)).toEqual([0, 5000]);
  });
});

const demos = ['wide', 'phone'].flatMap((size) =>
  ['light', 'dark'].map((scheme) => [size, scheme]),
);

describe.each(demos)('the recorded demo for a %s window in %s', (size, scheme) => {
  const demo = path.resolve(import.meta.dirname, '../../../apps/web/public/demo');

  test('lasts 15 to 25 seconds', () => {
    const elements = elementsOf(readFileSync(path.join(demo, `engram-${size}-${scheme}.webm`)));
    const seconds = (bodiesOf(elements, 0x4489)[0]?.readDoubleBE() ?? 0) / 1000;
    expect(seconds).toBeGreaterThan(15);
    expect(seconds).toBeLessThan(25);
  });

  test('is small, its still picture too', () => {
    expect(statSync(path.join(demo, `engram-${size}-${scheme}.webm`)).size).toBeLessThan(1_200_000);
    expect(statSync(path.join(demo, `engram-${size}-${scheme}.webp`)).size).toBeLessThan(60_000);
  });
});
