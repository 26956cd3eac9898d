import { performance } from 'node:perf_hooks';

/** How long a stage of a question took, in milliseconds. */
export interface StageTime {
  name: string;
  ms: number;
}

const round = (ms: number): number => Math.round(ms * 100) / 100;

/** Times the stages of one question. */
export function stopwatch() {
  const times: StageTime[] = [];
  let since = performance.now();
  return {
    times,
    /** A stage has ended; `within` are those that a thread timed in it, which count by themselves. */
    done(name: string, within: readonly StageTime[] = []): void {
      const at = performance.now();
      const timed = within.reduce((sum, { ms }) => sum + ms, 0);
      times.push({ name, ms: round(Math.max(0, at - since - timed)) }, ...within);
      since = at;
    },
  };
}
