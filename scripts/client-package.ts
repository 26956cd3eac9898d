import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleIntoOneFile } from './single-file.ts';
import source from '../packages/client/package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const project = path.join(root, 'packages/client');
const sources = path.join(project, 'src');
const entry = path.join(sources, 'sdk/engram-kb.ts');
const parser = path.join(root, 'node_modules/eventsource-parser');
const isWindows = process.platform === 'win32';

const { version, license, engines } = source;

/** The manifest of the package, which has no dependencies. */
const manifest = {
  name: 'engram-kb',
  version,
  description: 'Ask your own files: the TypeScript SDK of Engram, a personal knowledge base',
  license,
  type: 'module',
  sideEffects: false,
  engines,
  exports: {
    '.': { types: './types/sdk/engram-kb.d.ts', default: './index.js' },
    './package.json': './package.json',
  },
  files: ['index.js', 'types', 'CHANGELOG.md', 'LICENSE-eventsource-parser'],
};

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: isWindows,
  });
  if (status === 0) return stdout;
  throw new Error(`${command} failed: ${error?.message ?? `${stdout}\n${stderr}`}`);
}

/** Writes the type declarations of the client into a folder. */
function writeTypes(outDir: string): void {
  const config = path.join(outDir, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: sources,
    outDir,
    typeRoots: [path.join(root, 'node_modules/@types')],
  };
  const extended = path.join(root, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({ extends: extended, compilerOptions, include: [], files: [entry] }),
  );
  run(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], root);
}

const IMPORT = /(?:from |import\()'([^']+)'/gu;

/** Copies the types of a file and its imports. They must not depend on other packages. */
function copyTypes(from: string, to: string, file: string, copied = new Set<string>()): void {
  if (copied.has(file)) return;
  copied.add(file);
  const text = readFileSync(path.join(from, file), 'utf8');
  for (const [, name = ''] of text.matchAll(IMPORT)) {
    if (!name.startsWith('.')) throw new Error(`The types of ${file} import ${name}.`);
    copyTypes(from, to, path.join(path.dirname(file), name.replace(/\.ts$/u, '.d.ts')), copied);
  }
  const target = path.join(to, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text.replaceAll(/(from '\.[^']*)\.ts'/gu, "$1.js'"));
}

/** Builds the npm package into a folder. Returns its path. */
export async function buildClientPackage(outDir = path.join(root, 'dist')): Promise<string> {
  using scratch = mkdtempDisposableSync(path.join(tmpdir(), 'engram-client-'));
  const folder = path.join(scratch.path, 'package');
  const types = path.join(scratch.path, 'types');
  mkdirSync(folder);
  mkdirSync(types);
  await bundleIntoOneFile({
    entry,
    outDir: folder,
    fileName: 'index.js',
    target: 'es2022',
    minify: false,
    // Unused tables of the contract are left out.
    moduleSideEffects: false,
  });
  writeTypes(types);
  copyTypes(types, path.join(folder, 'types'), path.join('sdk', 'engram-kb.d.ts'));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['README.md', 'CHANGELOG.md']) {
    copyFileSync(path.join(project, name), path.join(folder, name));
  }
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copyFileSync(path.join(parser, 'LICENSE'), path.join(folder, 'LICENSE-eventsource-parser'));
  mkdirSync(outDir, { recursive: true });
  const packed = run('npm', ['pack', '--silent', '--ignore-scripts', '--offline'], folder).trim();
  const name = packed.split('\n').at(-1) ?? '';
  const output = path.join(outDir, name);
  rmSync(output, { force: true });
  copyFileSync(path.join(folder, name), output);
  return output;
}
