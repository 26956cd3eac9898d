import type { FastifyBaseLogger } from 'fastify';

export function createBackground(log: Pick<FastifyBaseLogger, 'warn'>) {
  const running = new Set<Promise<void>>();

  return {
    run(promise: Promise<unknown>, failureMessage: string, details: object = {}): Promise<void> {
      const task = promise
        .then(() => undefined)
        .catch((error: unknown) => log.warn({ err: error, ...details }, failureMessage))
        .finally(() => running.delete(task));
      running.add(task);
      return task;
    },

    async drain(): Promise<void> {
      await Promise.all(running);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
