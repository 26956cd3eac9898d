import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generatedFiles } from './generated.ts';
import { superLinearPatterns } from './linear-time/patterns.ts';
import { idioms } from './wording.ts';

const root = path.resolve(import.meta.dirname, '..');
const bin = (name: string): string => path.join(root, 'node_modules/.bin', name);

/** Runs a tool and returns whether it succeeded. */
async function run(title: string, command: string, args: string[]): Promise<boolean> {
  console.log(`· ${title}`);
  const [code] = (await once(
    spawn(bin(command), args, { cwd: root, stdio: 'inherit' }),
    'exit',
  )) as [number | null];
  return code === 0;
}

async function generatedFilesAreCurrent(): Promise<boolean> {
  console.log('· generated files');
  const stale = (await generatedFiles()).filter(
    ({ file, content }) => !existsSync(file) || readFileSync(file, 'utf8') !== content,
  );
  for (const { file } of stale) {
    console.error(`${path.relative(root, file)} is out of date: run 'npm run generate'.`);
  }
  return stale.length === 0;
}

async function patternsAreLinear(): Promise<boolean> {
  console.log('· regular expressions take linear time');
  const complaints = await superLinearPatterns();
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0;
}

function wordingIsPlain(): boolean {
  console.log('· plain wording');
  const complaints = idioms();
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0;
}

// Runs beside the types, since it takes as long as they do together.
const format = run('format', 'prettier', ['--check', '--log-level', 'warn', '.']);
const results = [
  await run('types', 'tsc', ['-p', 'tsconfig.json']),
  await run('types of the web app', 'tsc', ['-p', 'apps/web/tsconfig.json', '--noEmit']),
  await run('types of the service worker', 'tsc', [
    '-p',
    'apps/web/src/service-worker',
    '--noEmit',
  ]),
  await run('types of the Connector page', 'tsc', ['-p', 'apps/connector/src/page/browser']),
  await run('lint and import arrows', 'oxlint', ['--deny-warnings']),
  await generatedFilesAreCurrent(),
  await patternsAreLinear(),
  wordingIsPlain(),
  await format,
];
if (results.includes(false)) process.exit(1);
console.log('All checks passed.');
