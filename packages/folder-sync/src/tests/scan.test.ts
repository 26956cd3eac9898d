import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestFolder } from './test-folder.test-setup.ts';
import { scanFolder } from '../scan.ts';

let testFolder: TestFolder;
beforeEach(() => void (testFolder = new TestFolder()));
afterEach(() => testFolder.remove());

const scan = () => scanFolder({ root: testFolder.root, name: 'Papers', platform: 'linux' });
const pathsOf = async (): Promise<string[]> =>
  (await scan()).files.map(({ path }) => path).toSorted();

test('paths are normalized and begin with the folder', async () => {
  testFolder.write('Ma\u0308rz/u\u0308bersicht.txt', 'March');
  testFolder.write(`${'a'.repeat(200)}/${'b'.repeat(200)}.txt`, 'deep');
  testFolder.write('  odd #%&\' ".txt', 'odd');
  expect(await pathsOf()).toEqual(
    [
      'Papers/  odd #%&\' ".txt',
      'Papers/M\u00e4rz/\u00fcbersicht.txt',
      `Papers/${'a'.repeat(200)}/${'b'.repeat(200)}.txt`,
    ].toSorted(),
  );
});

test('links, temporary files and unsupported files are left out', async () => {
  testFolder.write('a.txt', 'a');
  for (const name of ['.DS_Store', '~$a.docx', 'a.crdownload', 'node_modules/a.txt', 'Thumbs.db']) {
    testFolder.write(name, 'x');
  }
  testFolder.write('a.exe', 'MZ');
  testFolder.write('empty.txt', '');
  symlinkSync(testFolder.base, testFolder.disk('up'));
  const { files, leftOut, complete } = await scan();
  expect(files.map(({ path }) => path)).toEqual(['Papers/a.txt']);
  expect(complete).toBe(true);
  expect(leftOut.map(({ path }) => path).toSorted()).toEqual([
    'Papers/a.exe',
    'Papers/empty.txt',
    'Papers/node_modules',
    'Papers/up',
  ]);
});

test('dependencies and build output are left out beside source code, but not elsewhere', async () => {
  const buildFolders = [
    'dist',
    'build',
    'target',
    'vendor',
    'out',
    'obj',
    'venv',
    'coverage',
    'Pods',
  ];
  for (const name of buildFolders) {
    testFolder.write(`app/${name}/made.js`, 'x');
    testFolder.write(`offers/${name}/offer.txt`, 'x');
  }
  for (const name of ['.venv', '__pycache__', '.next']) {
    testFolder.write(`offers/${name}/made.py`, 'x');
  }
  testFolder.write('app/package.json', '{}');
  testFolder.write('app/src/main.ts', 'x');
  testFolder.write('app/src/lib/build/step.ts', 'x');
  testFolder.write('app/src/jquery.min.js', 'x');
  expect(await pathsOf()).toEqual(
    [
      'Papers/app/package.json',
      'Papers/app/src/lib/build/step.ts',
      'Papers/app/src/main.ts',
      ...buildFolders.map((name) => `Papers/offers/${name}/offer.txt`),
    ].toSorted(),
  );
});

test('.engramignore has the syntax of .gitignore, and the nearest file takes precedence', async () => {
  testFolder.write('.engramignore', 'private/\n*.csv\n!keep.csv\n');
  testFolder.write('private/a.txt', 'a');
  testFolder.write('a.csv', 'a');
  testFolder.write('keep.csv', 'a');
  testFolder.write('deep/.engramignore', '!b.csv\n/c.txt\n');
  testFolder.write('deep/b.csv', 'b');
  testFolder.write('deep/c.txt', 'c');
  testFolder.write('deep/more/c.txt', 'c');
  expect(await pathsOf()).toEqual([
    'Papers/deep/b.csv',
    'Papers/deep/more/c.txt',
    'Papers/keep.csv',
  ]);
});

test('deleted files are distinguished from files that cannot be seen', async () => {
  testFolder.write('a.txt', 'a');
  testFolder.write('.engramignore', 'hidden/\n');
  testFolder.write('hidden/b.txt', 'b');
  const result = await scan();
  expect(result.isHidden('Papers/hidden/b.txt')).toBe(true);
  expect(result.isHidden('Papers/c.txt')).toBe(false);
  renameSync(testFolder.root, `${testFolder.root}-away`);
  expect(await scan()).toMatchObject({ found: false, complete: false, files: [] });
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'an unreadable folder is not treated as empty',
  async () => {
    testFolder.write('closed/a.txt', 'a');
    chmodSync(testFolder.disk('closed'), 0);
    const { complete, leftOut, isHidden } = await scan();
    chmodSync(testFolder.disk('closed'), 0o700);
    expect(complete).toBe(false);
    expect(leftOut).toEqual([{ path: 'Papers/closed', reason: 'It cannot be read.' }]);
    expect(isHidden('Papers/closed/a.txt')).toBe(true);
  },
);

test('a folder whose ignore file cannot be read is skipped completely', async () => {
  testFolder.write('rules/a.txt', 'a');
  mkdirSync(testFolder.disk('rules/.engramignore'));
  expect(await scan()).toMatchObject({ complete: false, files: [] });
});

test('a file at the path of the folder is not treated as a folder', async () => {
  rmSync(testFolder.root, { recursive: true });
  writeFileSync(testFolder.root, 'x');
  expect((await scan()).found).toBe(false);
});
