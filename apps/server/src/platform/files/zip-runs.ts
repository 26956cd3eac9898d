import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { HttpError } from '../http/errors.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

export interface ZipRunsOptions {
  /** Zips of one person at the same time. */
  atOnce: number;
  /** What is said of one more. */
  refuse: () => HttpError;
  /** What the log says of one that broke. */
  broke: string;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** The zips that are being written, each while it is read. */
export function createZipRuns({ atOnce, refuse, broke, log }: ZipRunsOptions) {
  const underWay = new Map<ZipWriter, string>();
  const runs = new Set<Promise<void>>();

  const run = async (
    zip: ZipWriter,
    userId: string,
    write: (zip: ZipWriter) => Promise<void>,
  ): Promise<void> => {
    try {
      await write(zip);
      zip.end();
    } catch (error) {
      // Whoever reads it is gone, and there is nobody to tell.
      if (!zip.ended.aborted) log.error({ err: error, userId }, broke);
      zip.destroy(error as Error);
    }
  };

  return {
    /**
     * Begins a person's zip, of which `prepare` says how its members are written; it ends where it is
     * not read to its end.
     * @throws HttpError where several are being made, and what `prepare` throws.
     */
    async start(
      userId: string,
      prepare: () => Promise<(zip: ZipWriter) => Promise<void>>,
    ): Promise<Readable> {
      const own = [...underWay.values()].filter((owner) => owner === userId);
      if (own.length >= atOnce) throw refuse();
      const zip = createZipWriter();
      underWay.set(zip, userId);
      zip.output.once('close', () => underWay.delete(zip));
      try {
        const writing = run(zip, userId, await prepare()).finally(() => runs.delete(writing));
        runs.add(writing);
        return zip.output;
      } catch (error) {
        zip.output.destroy();
        throw error;
      }
    },

    /** Ends the zips under way. */
    async close(): Promise<void> {
      for (const zip of underWay.keys()) zip.destroy(new Error('the server stops'));
      await Promise.all(runs);
    },
  };
}
