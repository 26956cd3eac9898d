import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createDiskFileStore } from './disk.ts';
import { describeFileStore } from './files.test-suite.ts';

async function temporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), 'engram-files-'));
  const store = await createDiskFileStore({ folder });
  const dispose = () => rm(folder, { recursive: true, force: true });
  return { folder, store, dispose };
}

describeFileStore('disk', temporaryStore);

it('removes what a killed process left half written', async () => {
  const { folder, store, dispose } = await temporaryStore();
  const key = `${randomUUID()}/${randomUUID()}/original`;
  await store.write(key, Readable.from(['kept']));
  await writeFile(join(folder, '.incoming', 'left-behind'), 'half');
  const again = await createDiskFileStore({ folder });
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  expect(await again.size(key)).toBe(4);
  await dispose();
});
