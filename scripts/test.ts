import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareClusters } from '../apps/server/src/composition/prepare-clusters.ts';
import { findChromium, installChromium } from './chromium.ts';
import { preparePython, testPythonSdk } from './python-sdk.ts';
import { REPORT_VARIABLE, type TestCount, type TestTotals } from './test-report.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const INSTALL_FLAG = '--install-browser';
const given = process.argv.slice(2);
const isCi = process.env['CI'] === 'true';
const args = given.filter((arg) => arg !== INSTALL_FLAG);

// Each of hundreds of servers would make its own.
await prepareClusters();
const browser = findChromium() ?? (given.includes(INSTALL_FLAG) || isCi ? installChromium() : null);
if (browser) await ensureWebBuild();
else {
  console.log(
    `No Chromium was found, so the browser journeys are skipped. To run them: npm test -- ${INSTALL_FLAG}`,
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
    `The suites over a server of these are skipped: ${names}. To run them: npm run with-services -- npm test`,
  );
}

/** Bytes that the folders of the tests may come to. */
const SCRATCH_BYTES = 3_000_000_000;

/** Whether there is room in a folder, and programs in it can be run: some tests write some. */
function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < SCRATCH_BYTES) return false;
    const scratch = mkdtempSync(path.join(folder, 'engram-test-'));
    const program = path.join(scratch, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(scratch, { recursive: true });
    return status === 0;
  } catch {
    return false;
  }
}

/**
 * Where the tests put their folders: in memory where that can be. Hundreds of servers write each of
 * their rows through to the disk, which the whole run would wait for.
 */
const scratchFolder = ['/dev/shm'].find(isUsable) ?? tmpdir();

/** Runs the tests; answers the exit code and, where the run came to its end, the totals. */
function run(args: readonly string[]): { status: number; totals: TestTotals | null } {
  const scratch = mkdtempSync(path.join(scratchFolder, 'engram-test-'));
  const report = path.join(scratch, 'report.json');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = [
    '--reporter=default',
    `--reporter=${path.join(root, 'scripts/test-report.ts')}`,
  ];
  try {
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        TMPDIR: scratchFolder,
        [REPORT_VARIABLE]: report,
        ...(browser ? { CHROMIUM_PATH: browser } : {}),
      },
    });
    const totals = JSON.parse(readFileSync(report, 'utf8')) as TestTotals;
    return { status: status ?? 1, totals };
  } catch {
    return { status: 1, totals: null };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Tests of a file need no process, nor machine, of which others have left something. */
const ALONE = ['--isolate', '--maxWorkers=1'];

/**
 * Where machines are shared, files in which something went wrong have a second try when the others
 * are through: each in a process of its own, one after the other. What fails twice has failed.
 */
function runAgain(first: TestTotals): { status: number; totals: TestTotals } {
  const files = first.badFiles.map((file) => path.relative(root, file));
  console.log(`\nSomething went wrong. Once more, one by one:\n${files.join('\n')}\n`);
  const { status, totals } = run([...ALONE, ...files]);
  if (!totals) return { status: status || 1, totals: first };
  const good = {
    passed: first.good.passed + totals.good.passed,
    failed: 0,
    skipped: first.good.skipped + totals.good.skipped,
  };
  return { status: first.otherErrors ? 1 : status, totals: { ...totals, good } };
}

/** The tests of the Python SDK, where all tests are run; a machine for CI must have what they need. */
function runPython(): TestCount {
  const none = { passed: 0, failed: 0, skipped: 0 };
  if (args.length > 0) return none;
  const python = testPythonSdk();
  if ('count' in python) return python.count;
  console.log(`The tests of the Python SDK are skipped: ${python.skipped}.`);
  return isCi ? { ...none, failed: 1 } : none;
}

// The examples of the documents need it too.
if (args.length === 0) preparePython();
let { status, totals } = run(args);
if (isCi && totals && totals.badFiles.length > 0) ({ status, totals } = runAgain(totals));
if (totals) {
  const counts = [totals.good, totals.bad, runPython()];
  const sum = (name: keyof TestCount) => counts.reduce((all, count) => all + count[name], 0);
  if (sum('failed') > 0) status ||= 1;
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}
process.exit(status);
