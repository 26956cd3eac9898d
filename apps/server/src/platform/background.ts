import type { FastifyBaseLogger } from 'fastify';

/** What goes on beside the answers: nobody waits for it, and what fails of it is logged. */
export function createBackground(log: Pick<FastifyBaseLogger, 'warn'>) {
  const underWay = new Set<Promise<void>>();

  return {
    /**
     * Lets something that has begun go on. Never rejects.
     * @param failed what the log says where it fails, beside what it is about
     */
    run(work: Promise<unknown>, failed: string, about: object = {}): Promise<void> {
      const running = work
        .then(() => undefined)
        .catch((error: unknown) => log.warn({ err: error, ...about }, failed))
        .finally(() => underWay.delete(running));
      underWay.add(running);
      return running;
    },

    /** Waits for what is under way. */
    async drain(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
