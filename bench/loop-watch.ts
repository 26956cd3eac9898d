/**
 * Loaded into a server's process by `--import`: keeps the longest gap of its event loop in the file
 * that ENGRAM_BENCH_LOOP_FILE names, in milliseconds, and in one beside it the longest time for which
 * its thread computed without a pause. The former also grows where the machine runs something else.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const WRITE_EVERY_MS = 500;
/** What a start costs is no gap that somebody waits for. */
const START_MS = 5000;

/** How often the thread is looked at, in milliseconds. */
const LOOK_EVERY_MS = 5;

/** The ending of the file with the longest time computed without a pause. */
const BUSY = '.busy';

/** Notes how much of the processor the thread took between two turns of its loop, at most. */
export function watchThread(): () => number {
  const taken = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let before = taken();
  let longest = 0;
  const look = (): void => {
    const now = taken();
    longest = Math.max(longest, now - before);
    before = now;
  };
  setInterval(look, LOOK_EVERY_MS).unref();
  return () => longest;
}

const file = process.env['ENGRAM_BENCH_LOOP_FILE'];

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  let longestBusy = (): number => 0;
  const begin = (): void => {
    delay.enable();
    longestBusy = watchThread();
  };
  setTimeout(begin, START_MS).unref();
  const write = (): void => {
    writeFileSync(file, String(delay.max / 1e6));
    writeFileSync(file + BUSY, String(longestBusy()));
  };
  setInterval(write, WRITE_EVERY_MS).unref();
}
