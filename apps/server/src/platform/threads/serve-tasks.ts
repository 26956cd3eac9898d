import { parentPort } from 'node:worker_threads';
import type { FromThread, Told } from './threads.ts';

/** Makes a function the program of a thread, which runs tasks one by one. */
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
