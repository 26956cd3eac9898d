import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const usage = createRequire(import.meta.url)('../usage.cjs') as Record<string, string>;
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const UNFORMATTED = '{  "a":1}';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-usage-'));
  await writeFile(path.join(folder, 'a.json'), UNFORMATTED);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The scripts that users run. */
const commands = Object.entries(scripts).filter(([name]) => name !== 'postinstall');

describe.each(commands)('npm run %s', (name, command) => {
  test.each(['--help', '-h'])('prints its usage and does nothing else with %s', async (flag) => {
    const [program = '', ...args] = command.split(' ');
    const inRoot = args.map((word) => (word.startsWith('scripts/') ? path.join(root, word) : word));
    const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}` };
    const { stdout, stderr } = await run(program, [...inRoot, flag], { cwd: folder, env });
    expect(stdout).toMatch(
      name === 'format' ? /^Usage: prettier / : `npm ${name}`.replace(/ (?!start|test)/u, ' run '),
    );
    expect(stderr).toBe('');
    expect(await readdir(folder)).toEqual(['a.json']);
    expect(await readFile(path.join(folder, 'a.json'), 'utf8')).toBe(UNFORMATTED);
  });
});

test.each(['start', 'doctor', 'backup', 'restore', 'mcp'])(
  'engram %s --help prints its usage',
  async (name) => {
    const { stdout } = await run('node', [path.join(root, 'scripts/engram.cjs'), name, '--help'], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^Usage: /u);
  },
);

test('with-services passes --help on to its command', async () => {
  const { stdout } = await run('node', [
    path.join(root, 'scripts/run.cjs'),
    'with-services',
    's3',
    'node',
    '--help',
  ]);
  expect(stdout).toContain('Usage: node ');
});

test('every option of a usage text exists in the code', () => {
  const code = globSync(
    [
      'scripts/*.ts',
      'bench/*.ts',
      'apps/server/src/*.ts',
      'packages/mcp-bridge/src/*.ts',
      'tests/quality/**/*.{ts,mjs}',
    ],
    { cwd: root },
  )
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  const options = Object.values(usage).flatMap((text) => text.match(/(?<=--)[a-z][a-z-]*/gu) ?? []);
  const unknown = options.filter(
    (option) => !new RegExp(`(?:--|['" ])${option}\\b(?:['":=]|$)`, 'mu').test(code),
  );
  expect(unknown).toEqual([]);
});
