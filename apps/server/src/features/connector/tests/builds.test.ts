import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getConnectorBuild, listConnectorBuilds } from '@engram/contract';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'engram-builds-'));
const engram = useTestApp({ connectorFolder: folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from('a program for Linux');
const linux = {
  platform: 'linux',
  fileName: 'engram-connector-linux-x64',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};
const writeManifest = (files: object[]): void =>
  writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify({ version: '0.1.0', files }));
const list = async () => (await engram.anonymous.call(listConnectorBuilds, {})).data;
const open = (fileName: string, range?: string) =>
  engram.anonymous.file(getConnectorBuild, { params: { fileName } }, range ? { range } : {});

beforeEach(() => {
  writeFileSync(path.join(folder, linux.fileName), bytes);
  writeFileSync(path.join(folder, 'secret.txt'), 'nothing for others');
});

test('nothing is offered without a build or with an invalid manifest', async () => {
  expect(await list()).toEqual([]);
  writeFileSync(path.join(folder, 'manifest.json'), '{"version": "0.1.0", "files": 3}');
  expect(await list()).toEqual([]);
  writeManifest([{ ...linux, fileName: '../secret.txt' }]);
  expect(await list()).toEqual([]);
});

test('builds are offered with their checksum, completely or in ranges', async () => {
  writeManifest([linux]);
  expect(await list()).toEqual([{ ...linux, version: '0.1.0' }]);
  const whole = await open(linux.fileName);
  expect(whole.headers.get('content-disposition')).toContain(linux.fileName);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
  expect(await (await open(linux.fileName, 'bytes=2-8')).text()).toBe('program');
});

test.each(['secret.txt', 'manifest.json', '..%2Fsecret.txt', '../secret.txt'])(
  '%s is not a build',
  async (fileName) => {
    writeManifest([linux]);
    await expect(open(fileName)).rejects.toMatchObject({ status: 404 });
  },
);

test('a file that differs from the manifest is not sent', async () => {
  writeManifest([{ ...linux, size: 3 }]);
  await expect(open(linux.fileName)).rejects.toMatchObject({ status: 404 });
});
