import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from './dependencies.ts';

/** What a stop may take beyond the time that calls and jobs get to end, in milliseconds. */
const SPARE_MS = 10_000;

/**
 * Stops the server: it says at once that it is not ready, takes calls for as long as a load balancer
 * needs to hear of it, and lets end what is under way within a bound.
 */
async function stop(app: FastifyInstance, deps: Dependencies): Promise<void> {
  deps.drain();
  await sleep(deps.config.drainSeconds * 1000);
  await app.close();
  await deps.close();
}

/** Stops the server at the signals by which a terminal or a service manager asks, and ends the process. */
export function stopAtSignals(app: FastifyInstance, deps: Dependencies): void {
  const { log, config } = deps;
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    const limit = (config.drainSeconds + config.stopSeconds) * 1000 + SPARE_MS;
    setTimeout(() => process.exit(1), limit).unref();
    stop(app, deps).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop was not clean');
        process.exit(1);
      },
    );
  };
  // A terminal that was closed takes no more output.
  process.on('SIGHUP', () => process.stdout.on('error', () => undefined));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
