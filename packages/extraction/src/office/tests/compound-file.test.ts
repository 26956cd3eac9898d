import * as cfb from 'cfb';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCompoundFile } from '../compound-file.ts';

function fileWith(streams: Record<string, Uint8Array>): Uint8Array {
  const file = cfb.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) {
    cfb.utils.cfb_add(file, name, Buffer.from(bytes));
  }
  return new Uint8Array(cfb.write(file, { type: 'buffer' }) as Buffer);
}

const sizes = fc.constantFrom(0, 1, 63, 64, 65, 511, 512, 4095, 4096, 4097, 20_000, 90_000);

test('streams of any size are read unchanged', () => {
  const streams = fc.dictionary(
    fc.constantFrom('Current User', 'PowerPoint Document', 'A', 'B'),
    sizes.chain((size) => fc.nat(255).map((byte) => new Uint8Array(size).fill(byte))),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(streams, (source) => {
      const file = openCompoundFile(fileWith(source));
      for (const [name, bytes] of Object.entries(source)) {
        if (bytes.length === 0) continue;
        expect(file?.stream(name)).toEqual({ bytes, complete: true });
      }
      expect(file?.stream('No such stream')).toBeNull();
    }),
    { numRuns: 60 },
  );
});

test('a truncated file gives a partial stream', () => {
  const bytes = Uint8Array.from({ length: 30_000 }, (_, index) => index % 251);
  const complete = fileWith({ A: bytes });
  fc.assert(
    fc.property(fc.nat(complete.length - 1), (length) => {
      const stream = openCompoundFile(complete.subarray(0, length))?.stream('A') ?? null;
      if (stream === null) return;
      expect(stream.complete).toBe(stream.bytes.length === bytes.length);
      expect(stream.bytes).toEqual(bytes.subarray(0, stream.bytes.length));
    }),
  );
});

test('reading stops at sector chains that loop or leave the file', () => {
  const complete = fileWith({ A: new Uint8Array(30_000).fill(1), B: new Uint8Array(300).fill(2) });
  const word = fc.tuple(fc.nat(Math.floor(complete.length / 4) - 1), fc.nat(200));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), (changes) => {
      const bytes = complete.slice();
      const view = new DataView(bytes.buffer);
      for (const [at, value] of changes) if (at > 2) view.setUint32(at * 4, value, true);
      const file = openCompoundFile(bytes);
      for (const name of file?.names ?? []) {
        const size = file?.stream(name)?.bytes.length ?? 0;
        expect(size).toBeLessThanOrEqual(bytes.length);
      }
    }),
    { numRuns: 300 },
  );
});
