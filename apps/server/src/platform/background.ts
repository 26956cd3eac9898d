import type { FastifyBaseLogger } from 'fastify';

export function createBackground(log: Pick<FastifyBaseLogger, 'warn'>) {
  const underWay = new Set<Promise<void>>();

  return {
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
