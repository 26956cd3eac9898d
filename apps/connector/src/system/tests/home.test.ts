import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scanFolder } from '@engram/folder-sync';
import { expect, onTestFinished, test } from 'vitest';
import { openHome } from '../home.ts';

test("a folder that contains the Connector's own folder omits its files", async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'engram-home-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const home = openHome(path.join(root, 'settings'));
  writeFileSync(path.join(home, 'secret.json'), '{}');
  writeFileSync(path.join(root, 'lease.txt'), 'The lease ends in May.');
  const { files } = await scanFolder({ root, name: 'Papers' });
  expect(files.map((file) => file.path)).toEqual(['Papers/lease.txt']);
});
