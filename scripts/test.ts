import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium, installChromium } from './chromium.ts';
import { REPORT_VARIABLE, type TestTotals } from './test-report.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const INSTALL_FLAG = '--install-browser';
const given = process.argv.slice(2);
const isCi = process.env['CI'] === 'true';
const args = given.filter((arg) => arg !== INSTALL_FLAG);

const browser = findChromium() ?? (given.includes(INSTALL_FLAG) || isCi ? installChromium() : null);
if (browser) await ensureWebBuild();
else {
  console.log(
    `No Chromium was found, so the browser journeys are skipped. To run them: npm test -- ${INSTALL_FLAG}`,
  );
}
if (!process.env['ENGRAM_TEST_DATABASE_URL']) {
  console.log(
    'ENGRAM_TEST_DATABASE_URL is not set, so the database suites run on the embedded database alone.',
  );
}

/** Runs the tests; answers the exit code and, where the run came to its end, the totals. */
function run(args: readonly string[]): { status: number; totals: TestTotals | null } {
  const scratch = mkdtempSync(path.join(tmpdir(), 'engram-test-'));
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

/**
 * Where machines are shared, files whose process died have a second try, as tests that fail have:
 * each in a process of its own.
 */
function runAgain(first: TestTotals): { status: number; totals: TestTotals | null } {
  const files = first.died.map((file) => path.relative(root, file));
  console.log(`A process died. Once more, each file in one of its own: ${files.join(', ')}`);
  const { status, totals } = run(['--isolate', ...files]);
  if (!totals) return { status, totals: first };
  return {
    status: first.failed > 0 || first.otherErrors ? 1 : status,
    totals: {
      ...totals,
      passed: first.passed + totals.passed,
      failed: first.failed + totals.failed,
      skipped: first.skipped + totals.skipped,
    },
  };
}

let { status, totals } = run(args);
if (isCi && totals && totals.died.length > 0) ({ status, totals } = runAgain(totals));
if (totals) {
  const { passed, failed, skipped } = totals;
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}
process.exit(status);
