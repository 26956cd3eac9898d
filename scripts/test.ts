import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempDisposableSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import {
  findChromium,
  findFullChromium,
  installChromium,
  installFullChromium,
} from './chromium.ts';
import { preparePython, type TestCount, testPythonSdk } from './python-sdk.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const INSTALL_FLAG = '--install-browser';
const flags = process.argv.slice(2);
const isCi = process.env['CI'] === 'true';
const args = flags.filter((arg) => arg !== INSTALL_FLAG);

// Otherwise each of hundreds of servers would create its own.
await prepareClusters();
const mayInstall = flags.includes(INSTALL_FLAG) || isCi;
const browser = findChromium() ?? (mayInstall ? installChromium() : null);
if (browser) await ensureWebBuild();
else {
  console.log(
    `No Chromium was found, so the browser journeys are skipped. To run them: npm test -- ${INSTALL_FLAG}`,
  );
}
if (browser && !findFullChromium() && !(mayInstall && installFullChromium())) {
  console.log(
    `No Chromium that loads extensions was found, so the tests of the browser extension are skipped. To run them: npm test -- ${INSTALL_FLAG}`,
  );
}
const missing = Object.entries({
  PostgreSQL: 'ENGRAM_TEST_DATABASE_URL',
  S3: 'ENGRAM_TEST_S3_URL',
  OpenSearch: 'ENGRAM_TEST_OPENSEARCH_URL',
}).filter(([, variable]) => !process.env[variable]);
if (missing.length > 0) {
  const names = missing.map(([name]) => name).join(', ');
  console.log(
    `The suites that need these servers are skipped: ${names}. To run them: npm run with-services -- npm test`,
  );
}

/** The disk space that the tests need. */
const SCRATCH_BYTES = 3_000_000_000;

/** Whether a folder has enough space and can contain programs, which some tests write. */
function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < SCRATCH_BYTES) return false;
    using scratch = mkdtempDisposableSync(path.join(folder, 'engram-test-'));
    const program = path.join(scratch.path, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0;
  } catch {
    return false;
  }
}

/**
 * The tests' folders are in memory if possible, because hundreds of servers write every row through
 * to the disk.
 */
const scratchFolder = isUsable('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * The totals of a Vitest report, if it exists. A run that failed without a failed test, for example
 * because of an error in a hook, counts as one failure.
 */
function readReport(file: string, status: number | null): TestCount {
  const report: Record<string, number> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {};
  return {
    passed: report['numPassedTests'] ?? 0,
    failed: report['numFailedTests'] || (status === 0 ? 0 : 1),
    skipped: (report['numPendingTests'] ?? 0) + (report['numTodoTests'] ?? 0),
  };
}

/** Runs the tests in TypeScript. */
async function runVitest(): Promise<TestCount> {
  using scratch = mkdtempDisposableSync(path.join(scratchFolder, 'engram-test-'));
  const report = path.join(scratch.path, 'report.json');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: scratchFolder,
      ...(browser ? { CHROMIUM_PATH: browser } : {}),
    },
  });
  const [status] = await once(child, 'exit');
  return readReport(report, status);
}

/** Runs the tests of the Python SDK. CI must have their dependencies. */
async function runPython(): Promise<TestCount> {
  const python = await testPythonSdk();
  if ('count' in python) {
    console.log(python.output);
    return python.count;
  }
  console.log(`The tests of the Python SDK are skipped: ${python.skipped}.`);
  return { passed: 0, failed: isCi ? 1 : 0, skipped: 0 };
}

const runs = [runVitest];
if (args.length === 0) {
  // The tests of the documents need it too.
  preparePython();
  runs.push(runPython);
}
const counts = await Promise.all(runs.map((run) => run()));
const sum = (name: keyof TestCount) => counts.reduce((total, count) => total + count[name], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') > 0 ? 1 : 0);
