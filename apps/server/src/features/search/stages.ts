import { performance } from 'node:perf_hooks';

/** Times the stages of one question, in milliseconds. */
export function createStages() {
  const stages: { name: string; ms: number }[] = [];
  let since = performance.now();
  return {
    stages,
    done(name: string): void {
      const at = performance.now();
      stages.push({ name, ms: Math.round((at - since) * 100) / 100 });
      since = at;
    },
  };
}
