import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import serverProcess from '../server-process.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Instructions of the Dockerfile, each on one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gmu, '')
  .replaceAll(/\\\n\s*/gu, '')
  .split('\n')
  .filter((line) => line !== '');

/** The paths of the project that the image copies. */
const copied = instructions
  .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap((line) => line.split(' ').slice(1, -1));

/** The paths that .dockerignore allows. */
const allowed = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

test('the image is built from paths that exist and that .dockerignore allows', () => {
  const missing = copied.filter((source) => globSync(source, { cwd: root }).length === 0);
  const ignored = copied.filter(
    (source) => !allowed.some((path) => source === path || source.startsWith(`${path}/`)),
  );
  expect({ missing, ignored }).toEqual({ missing: [], ignored: [] });
});

test('the image installs the dependencies of every workspace', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const manifests = globSync(
    workspaces.map((workspace) => `${workspace}/package.json`),
    { cwd: root },
  );
  expect(copied.filter((file) => file.endsWith('/package.json')).toSorted()).toEqual(
    manifests.toSorted(),
  );
});

test('the image starts the server like every other installation', () => {
  const start = instructions.find((line) => line.startsWith('CMD '))?.slice('CMD '.length) ?? '';
  expect(JSON.parse(start)).toEqual(['node', ...serverProcess.flags, 'apps/server/src/main.ts']);
  const environment = instructions.find((line) => line.startsWith('ENV ')) ?? '';
  for (const [name, value] of Object.entries(serverProcess.environment)) {
    expect(environment.split(' ')).toContain(`${name}=${value}`);
  }
  const { dependencies } = JSON.parse(read('package.json')) as {
    dependencies: { node: string };
  };
  const [major] = dependencies.node.split('.');
  for (const line of instructions.filter((line) => line.startsWith('FROM node:'))) {
    expect(line).toContain(`node:${major}-`);
  }
});
