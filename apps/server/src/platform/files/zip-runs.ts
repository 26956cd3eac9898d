import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { HttpError } from '../http/errors.ts';
import type { LinkHolder, SignedLinksOptions } from '../http/signed-links.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

export interface ZipRunsOptions {
  /** Zips of one person at the same time. */
  atOnce: number;
  /** Whether what asked for a zip still exists. A zip is cut off otherwise. */
  isAlive: SignedLinksOptions['isAlive'];
  /** What is said of one more. */
  refuse: () => HttpError;
  /** What the log says of one that broke. */
  broke: string;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** How often a zip under way looks whether what asked for it still exists, in milliseconds. */
const ALIVE_MS = 1000;

/** The zips that are being written, each while it is read. */
export function createZipRuns({ atOnce, isAlive, refuse, broke, log }: ZipRunsOptions) {
  const underWay = new Map<ZipWriter, string>();
  const runs = new Set<Promise<void>>();

  const run = async (
    zip: ZipWriter,
    holder: LinkHolder,
    write: (zip: ZipWriter) => Promise<void>,
  ): Promise<void> => {
    const watch = setInterval(() => {
      isAlive(holder).then(
        (alive) => {
          if (!alive) zip.destroy(new Error('what asked for it has ended'));
        },
        (error: Error) => zip.destroy(error),
      );
    }, ALIVE_MS);
    zip.output.once('close', () => clearInterval(watch));
    try {
      await write(zip);
      zip.end();
    } catch (error) {
      // Whoever reads it is gone, and there is nobody to tell.
      if (!zip.ended.aborted) log.error({ err: error, userId: holder.userId }, broke);
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
      holder: LinkHolder,
      prepare: () => Promise<(zip: ZipWriter) => Promise<void>>,
    ): Promise<Readable> {
      const own = [...underWay.values()].filter((owner) => owner === holder.userId);
      if (own.length >= atOnce) throw refuse();
      const zip = createZipWriter();
      underWay.set(zip, holder.userId);
      zip.output.once('close', () => underWay.delete(zip));
      try {
        const writing = run(zip, holder, await prepare()).finally(() => runs.delete(writing));
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
