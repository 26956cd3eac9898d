import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';

/** The maximum gzipped JavaScript of a page's first load, in kB of 1000 bytes. */
const budgets = {
  'app/login-page.tsx': 181,
  'app/home-page.tsx': 184,
  'app/search-page.tsx': 193,
  'features/keywords/components/keywords-page.tsx': 212,
  'app/history-page.tsx': 228,
  'app/files-page.tsx': 225,
};
/** The modules that every signed-in page also loads. */
const SHARED_MODULES = ['index.html', 'src/app/signed-in-layout.tsx'];

interface ManifestEntry {
  file: string;
  imports?: string[];
  css?: string[];
}

const web = path.resolve(import.meta.dirname, '..', '..');
const dist = mkdtempSync(path.join(tmpdir(), 'engram-weight-'));
let manifest: Record<string, ManifestEntry>;

beforeAll(() => {
  const vite = path.resolve(web, '../../node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--manifest', '--outDir', dist], {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as never;
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

/** The files of some modules of the app and of their imports. */
function filesOf(keys: readonly string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    const entry = manifest[key];
    if (!entry) throw new Error(`The build has no part called ${key}.`);
    if (found.has(entry.file)) continue;
    found.add(entry.file);
    filesOf(entry.imports ?? [], found);
  }
  return found;
}

const gzippedKb = (file: string): number =>
  gzipSync(readFileSync(path.join(dist, file))).length / 1000;

test.each(Object.entries(budgets))('the page %s loads within its budget', (page, budget) => {
  const files = [...filesOf([...SHARED_MODULES, `src/${page}`])];
  expect(files.reduce((total, file) => total + gzippedKb(file), 0)).toBeLessThan(budget);
});

test('the head of each page names all files that the page needs', () => {
  const read = (file: string): string => readFileSync(path.join(dist, file), 'utf8');
  const pages = JSON.parse(read('pages.json')) as { address: string; file: string }[];
  expect(pages.map(({ address }) => address).toSorted()).toEqual(Object.values(paths).toSorted());
  const search = read(pages.find(({ address }) => address === paths.search)?.file ?? '');
  const modules = ['index.html', 'src/app/signed-in-layout.tsx', 'src/app/search-page.tsx'];
  const neededFiles = [
    ...filesOf(modules),
    ...modules.flatMap((module) => manifest[module]?.css ?? []),
    ...globSync('assets/inter-latin-wght-normal-*.woff2', { cwd: dist }),
  ];
  for (const file of neededFiles) expect(search.split(`"/${file}"`)).toHaveLength(2);
  expect(search).not.toContain(manifest['src/app/files-page.tsx']?.file);
});

test('the validation library is not part of the web app', () => {
  const scripts = globSync('assets/*.js', { cwd: dist });
  expect(scripts.length).toBeGreaterThan(10);
  const validating = scripts.filter((file) =>
    readFileSync(path.join(dist, file), 'utf8').includes('ZodError'),
  );
  expect(validating).toEqual([]);
});
