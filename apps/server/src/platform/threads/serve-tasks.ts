import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, TimedMessage } from './threads.ts';

/** Runs a function for each task that this thread receives. */
export function serveTasks<Input>(run: (input: Input) => unknown): void {
  const send = (message: ThreadMessage): void => {
    const { user, system } = process.threadCpuUsage();
    const timed: TimedMessage = { ...message, usedMs: (user + system) / 1000 };
    parentPort?.postMessage(timed, []);
  };
  parentPort?.on('message', (input: Input) => {
    void (async () => send({ result: await run(input) }))().catch((error: unknown) =>
      send({ error }),
    );
  });
  send({ ready: true });
}
