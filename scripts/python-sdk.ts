import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '..');
const project = path.join(root, 'sdks/python');
const environment = path.join(project, '.venv');
const isWindows = process.platform === 'win32';
const python = path.join(environment, isWindows ? 'Scripts/python.exe' : 'bin/python');

const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];
const CHECK_VERSION = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

const findPython = (): string | undefined =>
  NAMES.find((name) => spawnSync(name, ['-c', CHECK_VERSION], { stdio: 'ignore' }).status === 0);

/** Runs a program. Returns an error message, or null. */
function prepare(command: string, args: string[]): string | null {
  const { status, stderr, error } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? (stderr.trim() || `${command} failed`));
}

/** Recreates the environment if its requirements have changed. Returns an error message, or null. */
function prepareEnvironment(command: string): string | null {
  const requirements = ['requirements-dev.txt', 'pyproject.toml'].map((file) =>
    readFileSync(path.join(project, file), 'utf8'),
  );
  const version = spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout;
  const hash = createHash('sha256')
    .update([version, project, ...requirements].join('\n'))
    .digest('hex');
  const stamp = path.join(environment, 'requirements-hash');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return null;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  const problem =
    prepare(command, ['-m', 'venv', '--clear', environment]) ??
    prepare(python, [...pip, '--requirement', 'requirements-dev.txt']) ??
    prepare(python, [...pip, '--no-deps', '--no-build-isolation', '--editable', '.']);
  if (problem === null) writeFileSync(stamp, hash);
  return problem;
}

/** The totals of a pytest report, or one failure if it is missing. */
function countOf(report: string, status: number | null): TestCount {
  const xml = existsSync(report) ? readFileSync(report, 'utf8') : '';
  const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`, 'u').exec(xml)?.[1] ?? 0);
  const failures = number('failures') + number('errors');
  const skipped = number('skipped');
  return {
    passed: number('tests') - failures - skipped,
    failed: failures === 0 && status !== 0 ? 1 : failures,
    skipped,
  };
}

/** The Python of an environment with the SDK and its tools, or the reason why it is missing. */
export function preparePython(): { command: string } | { command: null; skipped: string } {
  const found = findPython();
  if (!found) return { command: null, skipped: 'no Python 3.11 or newer with venv was found' };
  const problem = prepareEnvironment(found);
  if (problem === null) return { command: python };
  // If a package is missing, the last error line of pip names it.
  const [message = problem] = problem
    .split('\n')
    .filter((line) => /error/iu.test(line))
    .slice(-1);
  return { command: null, skipped: `its tools could not be installed: ${message.trim()}` };
}

/** Runs the tests of the Python SDK against a server of this checkout. */
export async function testPythonSdk(): Promise<
  { count: TestCount; output: string } | { skipped: string }
> {
  const prepared = preparePython();
  if (prepared.command === null) return prepared;
  using scratch = mkdtempDisposableSync(path.join(tmpdir(), 'engram-python-'));
  const report = path.join(scratch.path, 'report.xml');
  const child = spawn(python, ['-m', 'pytest', `--junit-xml=${report}`], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { count: countOf(report, status), output: stdout + stderr };
}
