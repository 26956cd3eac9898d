import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Papers } from './papers.test-setup.ts';
import { scanFolder } from '../scan.ts';

let papers: Papers;
beforeEach(() => void (papers = new Papers()));
afterEach(() => papers.remove());

const scan = () => scanFolder({ root: papers.root, name: 'Papers', platform: 'linux' });
const pathsOf = async (): Promise<string[]> =>
  (await scan()).files.map(({ path }) => path).toSorted();

test('names are in one form and begin with the folder', async () => {
  papers.write('Ma\u0308rz/u\u0308bersicht.txt', 'March');
  papers.write(`${'a'.repeat(200)}/${'b'.repeat(200)}.txt`, 'deep');
  papers.write('  odd #%&\' ".txt', 'odd');
  expect(await pathsOf()).toEqual(
    [
      'Papers/  odd #%&\' ".txt',
      'Papers/M\u00e4rz/\u00fcbersicht.txt',
      `Papers/${'a'.repeat(200)}/${'b'.repeat(200)}.txt`,
    ].toSorted(),
  );
});

test('links, what programs leave behind and what Engram does not take are left out', async () => {
  papers.write('a.txt', 'a');
  for (const name of ['.DS_Store', '~$a.docx', 'a.crdownload', 'node_modules/a.txt', 'Thumbs.db']) {
    papers.write(name, 'x');
  }
  papers.write('a.exe', 'MZ');
  papers.write('empty.txt', '');
  symlinkSync(papers.base, papers.disk('up'));
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

test('dependencies and what is built are left out of source code, and folders of that name stay elsewhere', async () => {
  const made = ['dist', 'build', 'target', 'vendor', 'out', 'obj', 'venv', 'coverage', 'Pods'];
  for (const name of made) {
    papers.write(`app/${name}/made.js`, 'x');
    papers.write(`offers/${name}/offer.txt`, 'x');
  }
  for (const name of ['.venv', '__pycache__', '.next']) {
    papers.write(`offers/${name}/made.py`, 'x');
  }
  papers.write('app/package.json', '{}');
  papers.write('app/src/main.ts', 'x');
  papers.write('app/src/lib/build/step.ts', 'x');
  papers.write('app/src/jquery.min.js', 'x');
  expect(await pathsOf()).toEqual(
    [
      'Papers/app/package.json',
      'Papers/app/src/lib/build/step.ts',
      'Papers/app/src/main.ts',
      ...made.map((name) => `Papers/offers/${name}/offer.txt`),
    ].toSorted(),
  );
});

test('.engramignore speaks as .gitignore does, the nearest one last', async () => {
  papers.write('.engramignore', 'private/\n*.csv\n!keep.csv\n');
  papers.write('private/a.txt', 'a');
  papers.write('a.csv', 'a');
  papers.write('keep.csv', 'a');
  papers.write('deep/.engramignore', '!b.csv\n/c.txt\n');
  papers.write('deep/b.csv', 'b');
  papers.write('deep/c.txt', 'c');
  papers.write('deep/more/c.txt', 'c');
  expect(await pathsOf()).toEqual([
    'Papers/deep/b.csv',
    'Papers/deep/more/c.txt',
    'Papers/keep.csv',
  ]);
});

test('deleted files are distinguished from files that cannot be seen', async () => {
  papers.write('a.txt', 'a');
  papers.write('.engramignore', 'hidden/\n');
  papers.write('hidden/b.txt', 'b');
  const found = await scan();
  expect(found.isHidden('Papers/hidden/b.txt')).toBe(true);
  expect(found.isHidden('Papers/c.txt')).toBe(false);
  renameSync(papers.root, `${papers.root}-away`);
  expect(await scan()).toMatchObject({ found: false, complete: false, files: [] });
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a folder that cannot be read is no empty one',
  async () => {
    papers.write('closed/a.txt', 'a');
    chmodSync(papers.disk('closed'), 0);
    const { complete, leftOut, isHidden } = await scan();
    chmodSync(papers.disk('closed'), 0o700);
    expect(complete).toBe(false);
    expect(leftOut).toEqual([{ path: 'Papers/closed', reason: 'It cannot be read.' }]);
    expect(isHidden('Papers/closed/a.txt')).toBe(true);
  },
);

test('a folder whose rules cannot be read is hidden as a whole', async () => {
  papers.write('rules/a.txt', 'a');
  mkdirSync(papers.disk('rules/.engramignore'));
  expect(await scan()).toMatchObject({ complete: false, files: [] });
});

test('a file in the place of the folder is no folder', async () => {
  rmSync(papers.root, { recursive: true });
  writeFileSync(papers.root, 'x');
  expect((await scan()).found).toBe(false);
});
