import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../apps/server/src/tests/mcp-clients.test-setup.ts';
import { useTestApp } from '../../apps/server/src/tests/use-app.test-setup.ts';
import { buildClientPackage } from '../client-package.ts';
import { codeBlocks } from '../documents/documents.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..', '..');
const app = useTestApp();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-package-'));
  const built = await buildClientPackage(path.join(folder, 'built'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, built], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the folder with the installed package, and returns its output. */
async function runProgram(name: string, code: string, email: string): Promise<string> {
  const apiKey = await makeKey(await app.signIn(email));
  const env = { ...process.env, ENGRAM_BASE_URL: app.origin, ENGRAM_API_KEY: apiKey };
  const file = path.join(folder, name);
  await writeFile(file, code);
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder, env });
  expect(stderr).toBe('');
  return stdout;
}

test('the package is one module with its types, without dependencies', async () => {
  const installed = path.join(folder, 'node_modules');
  expect((await readdir(installed)).filter((name) => !name.startsWith('.'))).toEqual(['engram-kb']);
  expect((await readdir(path.join(installed, 'engram-kb'))).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'LICENSE-eventsource-parser',
    'README.md',
    'index.js',
    'package.json',
    'types',
  ]);
  const code = await readFile(path.join(installed, 'engram-kb/index.js'), 'utf8');
  expect(code).not.toMatch(/^import /mu);
  expect(code).not.toContain('zod');
});

const MEMORY = `
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Engram } from 'engram-kb';

const peak = () => Number(/VmHWM:\\s+(\\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
const handle = await open('large.avi', 'w');
await handle.write('RIFF----AVI LIST');
await handle.truncate(256 * 1_048_576);
await handle.close();
const engram = new Engram();
await engram.files.upload(new Blob(['Warm.']), { name: 'warm.txt' });
const before = peak();
const large = await engram.files.upload('large.avi');
const uploaded = peak();
await engram.files.download(large, 'copy.avi');
console.log(JSON.stringify([uploaded - before, peak() - before]));
`;

test.runIf(process.platform === 'linux')('a large file needs little memory', async () => {
  const output = await runProgram('memory.mjs', MEMORY, 'large@example.org');
  const [upload = 0, total = 0] = JSON.parse(output) as number[];
  expect(upload).toBeLessThan(80);
  expect(total).toBeLessThan(160);
});

test('the snippets pass strict type checks without the workspace', async () => {
  const examples = codeBlocks('packages/client/README.md').filter(
    ({ language }) => language === 'ts',
  );
  await writeFile(path.join(folder, 'checked.ts'), examples.map(({ code }) => code).join('\n'));
  await mkdir(path.join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['node_modules/@types/node', 'node_modules/undici-types']) {
    await symlink(path.join(root, name), path.join(folder, name), 'dir');
  }
  const config = {
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    },
    files: ['checked.ts'],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
