import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium, installChromium } from './chromium.ts';
import { ensureWebBuild } from './web-build.ts';

const root = path.resolve(import.meta.dirname, '..');
const INSTALL_FLAG = '--install-browser';
const given = process.argv.slice(2);
const mayInstall = given.includes(INSTALL_FLAG) || process.env['CI'] === 'true';
const args = given.filter((arg) => arg !== INSTALL_FLAG);

const browser = findChromium() ?? (mayInstall ? installChromium() : null);
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

const scratch = mkdtempSync(path.join(tmpdir(), 'engram-test-'));
const report = path.join(scratch, 'report.json');
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(browser ? { CHROMIUM_PATH: browser } : {}) },
  },
);
try {
  const totals = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
  const skipped = (totals['numPendingTests'] ?? 0) + (totals['numTodoTests'] ?? 0);
  console.log(
    `${totals['numPassedTests']} passed, ${totals['numFailedTests']} failed, ${skipped} skipped`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(status ?? 1);
