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

/** Prints the problems that a check finds. Returns whether it finds no problem. */
async function report(
  title: string,
  findProblems: () => string[] | Promise<string[]>,
): Promise<boolean> {
  console.log(`· ${title}`);
  const problems = await findProblems();
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

const outdatedFiles = async (): Promise<string[]> =>
  (await generatedFiles())
    .filter(({ file, content }) => !existsSync(file) || readFileSync(file, 'utf8') !== content)
    .map(({ file }) => `${path.relative(root, file)} is out of date: run 'npm run generate'.`);

// Runs in parallel with the type checks, which together take as long.
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
  await run('types of the browser extension', 'tsc', ['-p', 'apps/clipper']),
  await run('lint and import rules', 'oxlint', ['--deny-warnings']),
  await report('generated files', outdatedFiles),
  await report('regular expressions take linear time', superLinearPatterns),
  await report('plain wording', idioms),
  await format,
];
if (results.includes(false)) process.exit(1);
console.log('All checks passed.');
