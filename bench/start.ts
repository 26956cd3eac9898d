import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Table } from './setup.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Milliseconds from starting the process until it is ready. */
async function timeStart(dataDir: string): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, ['scripts/run.cjs', 'start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      ENGRAM_DATA_DIR: dataDir,
      ENGRAM_LOG_LEVEL: 'warn',
      ENGRAM_LLM: 'none',
      ENGRAM_EMBEDDINGS: 'none',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let ms = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Engram is ready')) continue;
    ms = performance.now() - begin;
    break;
  }
  child.kill('SIGTERM');
  await exited;
  return ms;
}

/** Measures starts. The first one creates the database. */
export async function run(): Promise<Table[]> {
  await using dataDir = await mkdtempDisposable(join(tmpdir(), 'engram-bench-'));
  const rows: { start: string; ms: number }[] = [];
  for (const start of ['first', 'second', 'third', 'fourth']) {
    rows.push({ start, ms: Math.round(await timeStart(dataDir.path)) });
  }
  return [{ title: 'From the start until ready (the web app is built)', rows }];
}
