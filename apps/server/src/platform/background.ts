import type { FastifyBaseLogger } from 'fastify';

/** Background work that no request waits for. Failures are logged. */
export function createBackground(log: Pick<FastifyBaseLogger, 'warn'>) {
  const underWay = new Set<Promise<void>>();

  return {
    /** Tracks work that has begun, and logs a failure. Never rejects. */
    run(work: Promise<unknown>, failed: string, about: object = {}): Promise<void> {
      const running = work
        .then(() => undefined)
        .catch((error: unknown) => log.warn({ err: error, ...about }, failed))
        .finally(() => underWay.delete(running));
      underWay.add(running);
      return running;
    },

    async drain(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
