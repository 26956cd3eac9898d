import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/** Runs a command with a server that is neither cached nor installed. */
function runWithServices(...command: string[]) {
  const cache = mkdtempSync(path.join(tmpdir(), 'engram-no-services-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const script = path.join(import.meta.dirname, '../with-services.ts');
  const child = spawn(process.execPath, [script, 's3', ...command], {
    env: { ...process.env, ENGRAM_SERVICES_CACHE: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') };
}

test('a server that is unavailable is skipped with a message, and the exit code is passed on', async () => {
  const { child, exit } = runWithServices(process.execPath, '-e', 'process.exit(3)');
  expect(await text(child.stderr)).toMatch(/^S3 \(versitygw\) is skipped: .+--install/u);
  expect(await exit).toEqual([3, null]);
});

test('a signal reaches the command', async () => {
  const program = `process.on('SIGTERM', () => process.exit(7));
    setInterval(() => undefined, 1_000); console.log('ready');`;
  const { child, exit } = runWithServices(process.execPath, '-e', program);
  await once(createInterface(child.stdout), 'line');
  child.kill('SIGTERM');
  expect(await exit).toEqual([7, null]);
});
