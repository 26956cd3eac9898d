import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFileOf } from '../packages.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(path.join(tmpdir(), 'engram-cache-'));
});
afterEach(() => rm(cache, { recursive: true }));

/** A member of a tar archive: a head of 512 bytes, and the content in blocks of as many. */
function member(name: string, content: string): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 'latin1');
  head.write(content.length.toString(8).padStart(11, '0'), 124, 'latin1');
  const blocks = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  blocks.write(content);
  return Buffer.concat([head, blocks]);
}

const archive = gzipSync(
  Buffer.concat([
    member('package/README.md', 'a'.repeat(600)),
    member('package/bin/node', 'a program'),
    Buffer.alloc(1024),
  ]),
);
const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
const wanted = { name: '@some/node', version: '1.0.0', integrity };
const stored = (): string => path.join(cache, 'some-node-1.0.0.tgz');

test('a file is read out of an archive of the cache', async () => {
  await writeFile(stored(), archive);
  const file = await readFileOf(wanted, 'package/bin/node', cache);
  expect(file.toString()).toBe('a program');
  await expect(readFileOf(wanted, 'package/other', cache)).rejects.toThrow(
    'There is no package/other in the archive.',
  );
});

test('an archive that is not what it was is refused, and kept no longer', async () => {
  await writeFile(stored(), gzipSync(member('package/bin/node', 'another program')));
  await expect(readFileOf(wanted, 'package/bin/node', cache)).rejects.toThrow(
    '@some/node 1.0.0 is not what it was',
  );
  expect(existsSync(stored())).toBe(false);
});
