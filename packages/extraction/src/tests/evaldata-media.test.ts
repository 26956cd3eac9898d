import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectType, extract, type FileType, soundOf } from '../index.ts';

/** Real recordings, stored outside the project. */
const root = join(import.meta.dirname, '../../../../../shared/evaldata/files');
const MEDIA = new Set(['wav', 'mp3', 'mp4', 'avi', 'mov', 'mkv']);

interface Row {
  file: string;
  kind: string;
  must_contain: string[];
}

function rows(): Row[] {
  const path = join(root, 'expected.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
    .filter(({ file }) => MEDIA.has(file.split('/')[0] ?? ''));
}

async function open(file: string): Promise<{ bytes: Uint8Array; type: FileType }> {
  const bytes = new Uint8Array(readFileSync(join(root, file)));
  const type = await detectType(bytes.subarray(0, 65_536), file);
  if (type === null) throw new Error('not recognized');
  return { bytes, type };
}

const kinds = (...kindNames: string[]): Row[] =>
  rows().filter(({ kind }) => kindNames.includes(kind));

describe.runIf(existsSync(root))('the evaluation recordings', () => {
  test.for(kinds('meta', 'noText', 'robust'))(
    '$file is extracted',
    async ({ file, kind, must_contain }) => {
      const { bytes, type } = await open(file);
      const { text, durationMs } = await extract({ bytes, fileName: file, type });
      for (const phrase of must_contain) expect(text).toContain(phrase);
      expect(kind === 'noText' ? text : '').toBe('');
      expect(durationMs).toBeGreaterThan(0);
    },
  );

  test.for(kinds('asr'))('the sound of $file is decoded', async ({ file }) => {
    const { bytes, type } = await open(file);
    const { durationMs, requests } = await extract({ bytes, fileName: file, type });
    expect(requests).toEqual([{ kind: 'transcript' }]);
    let decodedMs = 0;
    for await (const piece of soundOf(bytes, type, { maxBytes: 24 << 20, maxMs: 4000 })) {
      expect(piece.startMs).toBeGreaterThanOrEqual(decodedMs);
      expect(piece.bytes.length).toBeGreaterThan(1000);
      decodedMs = piece.endMs;
    }
    expect(Math.abs(decodedMs - (durationMs ?? 0))).toBeLessThan(100);
  });

  test.for(kinds('noText', 'robust'))(
    '$file is decoded or fails with a clear message',
    async ({ file }) => {
      const { bytes, type } = await open(file);
      for await (const piece of soundOf(bytes, type, { maxBytes: 24 << 20, maxMs: 120_000 })) {
        expect(file).not.toMatch(/silent/);
        expect(piece.endMs).toBeGreaterThan(piece.startMs);
      }
    },
  );
});

test.skipIf(existsSync(root))(
  'the evaluation recordings are missing: ../shared/evaldata was not checked',
  () => {
    expect(existsSync(root)).toBe(false);
  },
);
