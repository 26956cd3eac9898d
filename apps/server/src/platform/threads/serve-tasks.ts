import { parentPort } from 'node:worker_threads';
import type { FromThread, Told } from './threads.ts';

/** Makes a thread's program of a function: it does one task after the other. */
export function serveTasks<Input>(work: (input: Input) => unknown): void {
  const say = (told: Told): void => {
    const { user, system } = process.threadCpuUsage();
    const message: FromThread = { ...told, usedMs: (user + system) / 1000 };
    parentPort?.postMessage(message, []);
  };
  parentPort?.on('message', (input: Input) => {
    void (async () => say({ made: await work(input) }))().catch((failed: unknown) =>
      say({ failed }),
    );
  });
  say({ ready: true });
}
