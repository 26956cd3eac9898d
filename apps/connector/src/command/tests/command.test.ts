import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { listArtifacts } from '@engram/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SignedInUser } from '../../../../server/src/tests/app.test-setup.ts';
import { useTestApp } from '../../../../server/src/tests/use-app.test-setup.ts';
import type { ConnectorStatus } from '../../connector.ts';
import { lockHome } from '../../system/instance.ts';
import { keyOf, TestFolder } from '../../tests/synced-folder.test-setup.ts';

const engram = useTestApp();
const bin = path.join(import.meta.dirname, '../../bin.ts');
let ann: SignedInUser;
let testFolder: TestFolder;
let count = 0;

beforeEach(async () => {
  count += 1;
  ann = await engram.signIn(`bob${count}@example.org`);
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const start = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [bin, ...args], {
    env: {
      ...process.env,
      ENGRAM_CONNECTOR_HOME: testFolder.home,
      ENGRAM_CONNECTOR_KEYCHAIN: 'off',
    },
  });

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(...args);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => (out += String(chunk)));
  child.stderr?.on('data', (chunk) => (err += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

const pair = async () =>
  run('pair', '--server', engram.origin, '--key', await keyOf(ann, 'Connector'));

/** The permissions of a folder and of its contents. */
const modesOf = (folder: string): Record<string, number> =>
  Object.fromEntries(
    ['.', ...readdirSync(folder)].map((name) => [
      name,
      statSync(path.join(folder, name)).mode & 0o777,
    ]),
  );

const statusOf = async (): Promise<ConnectorStatus> =>
  JSON.parse((await run('status', '--json')).out) as ConnectorStatus;

test('failed commands print an error and return its exit code', async () => {
  expect(await run('dance')).toMatchObject({
    code: 2,
    err: expect.stringContaining('dance') as string,
  });
  expect(await run('--nothing')).toMatchObject({ code: 2 });
  expect(await run('status')).toMatchObject({ code: 3 });
  expect(await run('sync', '--once')).toMatchObject({ code: 1 });
  expect(await run('add', testFolder.disk('nowhere'), '--yes')).toMatchObject({ code: 1 });
  expect(await run('open')).toMatchObject({
    code: 1,
    err: expect.stringContaining('run') as string,
  });
});

test('a folder can be added, synced and removed, and only the user can read the stored secret', async () => {
  testFolder.write('a.txt', 'The garden is fine.');
  expect(await pair()).toMatchObject({
    code: 0,
    out: expect.stringContaining('Connected') as string,
  });
  expect(await run('add', testFolder.root, '--yes', '--keyword', 'papers')).toMatchObject({
    code: 0,
  });
  expect(await run('sync', '--once')).toMatchObject({ code: 0 });
  expect(await statusOf()).toMatchObject({ folders: [{ files: 1, waiting: 0 }] });
  expect(modesOf(testFolder.home)).toEqual({
    '.': 0o700,
    '.engramignore': 0o600,
    'lock.sqlite': 0o600,
    'secret.json': 0o600,
    'state.sqlite': 0o600,
  });
  expect(await run('remove', testFolder.root)).toMatchObject({ code: 0 });
  expect((await statusOf()).folders).toEqual([]);
  expect(await run('uninstall')).toMatchObject({ code: 0 });
  expect(await run('status')).toMatchObject({ code: 3 });
});

test('a Connector that is not running is reported as stopped, whatever its last status was', async () => {
  await pair();
  testFolder.write('a.txt', 'The garden is fine.');
  await run('add', testFolder.root, '--yes');
  const running = start('run');
  await expect
    .poll(async () => (await run('status')).out, { interval: 300 })
    .toContain('Everything is synced.');
  expect(modesOf(testFolder.home)).toMatchObject({ 'control.sock': 0o600, 'lock.sqlite': 0o600 });
  running.kill('SIGTERM');
  await once(running, 'close');
  const stopped = await run('status');
  expect(stopped.code).toBe(5);
  expect(stopped.out).toContain('The Connector is not running.');
  expect(stopped.out).not.toContain('current');
  expect(await statusOf()).toMatchObject({ running: false, folders: [{ state: 'stopped' }] });
});

test('a Connector that is started during another command waits for its end', async () => {
  await pair();
  const unlock = lockHome(testFolder.home);
  const started = start('run');
  let output = '';
  started.stdout?.on('data', (part) => (output += String(part)));
  await expect.poll(() => output).toContain('starts when another command has ended');
  unlock?.();
  await expect.poll(() => output).toContain('The Connector is running.');
  started.kill('SIGTERM');
  expect(await once(started, 'close')).toEqual([0, null]);
});

test('a Connector that does not respond is reported', async () => {
  const frozen = start('run');
  await once(frozen.stdout!, 'data');
  frozen.kill('SIGSTOP');
  expect(await run('status')).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not respond') as string,
  });
  frozen.kill('SIGKILL');
  await once(frozen, 'close');
});

test.each(['/', homedir()])('%s is not added without a confirmation', async (folder) => {
  const refused = await run('add', folder);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/is (?:a whole disk|your home folder).*--yes/u);
  expect(refused.out).toBe('');
});

test('a killed Connector resumes without duplicate uploads, and commands work while it runs', async () => {
  const files = 300;
  for (let index = 0; index < files; index += 1)
    testFolder.write(`${index}.txt`, `This is paper number ${index}.`);
  await pair();
  await run('add', testFolder.root, '--yes');
  const countFiles = async (): Promise<number> =>
    (await ann.client.call(listArtifacts, { query: { limit: 1 } })).total ?? 0;
  const first = start('run');
  await expect.poll(countFiles, { interval: 20 }).toBeGreaterThan(0);
  first.kill('SIGKILL');
  await once(first, 'close');
  const second = start('run');
  await expect
    .poll(async () => (await statusOf()).folders[0]?.state, { interval: 300 })
    .toBe('current');
  expect(await run('run')).toMatchObject({
    code: 0,
    out: expect.stringContaining('http://127') as string,
  });
  expect(await run('pause')).toMatchObject({ code: 0 });
  expect(await statusOf()).toMatchObject({ paused: true, folders: [{ state: 'paused' }] });
  expect(await countFiles()).toBe(files);
  expect((await statusOf()).folders[0]?.files).toBe(files);
  second.kill('SIGTERM');
  expect(await once(second, 'close')).toEqual([0, null]);
});
