import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extractFile } from '../packages.ts';

let cache: string;
let archive: string;
beforeEach(async () => {
  cache = await mkdtemp(path.join(tmpdir(), 'engram-cache-'));
  archive = path.join(cache, 'some-node-1.0.0.tgz');
  await mkdir(path.join(cache, 'package/bin'), { recursive: true });
  await writeFile(path.join(cache, 'package/bin/node'), 'a program');
  await promisify(execFile)('tar', ['-czf', archive, '-C', cache, 'package']);
});
afterEach(() => rm(cache, { recursive: true }));

const packageOf = (content: Uint8Array) => ({
  name: '@some/node',
  version: '1.0.0',
  file: 'package/bin/node',
  integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
});

test('a file is extracted from an archive in the cache', async () => {
  const expected = packageOf(await readFile(archive));
  const file = await extractFile(expected, cache);
  expect(await readFile(file, 'utf8')).toBe('a program');
  await expect(extractFile({ ...expected, file: 'package/other' }, cache)).rejects.toThrow(
    'package/other',
  );
});

test('an archive with another hash is rejected and deleted', async () => {
  const expected = packageOf(Buffer.from('another archive'));
  await expect(extractFile(expected, cache)).rejects.toThrow(
    '@some/node 1.0.0 has an unexpected hash',
  );
  expect(existsSync(archive)).toBe(false);
});
