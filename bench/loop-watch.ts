/**
 * Loaded into a server's process by `--import`: keeps the longest gap of its event loop in the file
 * that ENGRAM_BENCH_LOOP_FILE names, in milliseconds.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const WRITE_EVERY_MS = 500;
/** What a start costs is no gap that somebody waits for. */
const START_MS = 5000;

const file = process.env['ENGRAM_BENCH_LOOP_FILE'];

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  setTimeout(() => delay.enable(), START_MS).unref();
  setInterval(() => writeFileSync(file, String(delay.max / 1e6)), WRITE_EVERY_MS).unref();
}
