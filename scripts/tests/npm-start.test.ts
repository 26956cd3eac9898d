import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const dataDir = mkdtempSync(path.join(tmpdir(), 'engram-npm-start-'));
const started: ChildProcess[] = [];

afterAll(() => {
  for (const { pid } of started) {
    try {
      // Ends the processes that a failed test left.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs `npm start` and waits until the server is ready. */
async function npmStart(): Promise<{ npm: ChildProcess; origin: string; log: string[] }> {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ENGRAM_DATA_DIR: dataDir, PORT: '0', ENGRAM_LLM: 'none' },
  });
  started.push(npm);
  const log: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: npm.stdout }).on('line', (line) => {
    log.push(line);
    const [, origin] = /^Engram is ready on (\S+)/u.exec(line) ?? [];
    if (origin !== undefined) resolve(origin);
  });
  npm.once('exit', () => reject(new Error(log.join('\n'))));
  return { npm, origin: await promise, log };
}

const isServing = (origin: string): Promise<boolean> =>
  fetch(`${origin}/v1/live`).then(
    () => true,
    () => false,
  );

/** A terminal sends SIGINT to the whole group, and shells wait until their child has ended. */
test.skipIf(process.platform === 'win32').each([
  ['SIGTERM', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGINT', 'the group'],
] as const)('%s to %s of npm start stops the server cleanly', async (signal, target) => {
  const { npm, origin, log } = await npmStart();
  expect(await isServing(origin)).toBe(true);
  const ended = once(npm, 'exit');
  process.kill(target === 'npm' ? npm.pid! : -npm.pid!, signal);
  await ended;
  await expect.poll(() => isServing(origin)).toBe(false);
  // The pipe closes when the last process that writes to it has ended.
  if (!npm.stdout?.closed) await once(npm, 'close');
  expect(log.join('\n')).not.toContain('the server did not stop cleanly');
});
