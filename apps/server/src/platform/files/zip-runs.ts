import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import type { HttpError } from '../http/errors.ts';
import type { LinkHolder, SignedLinksOptions } from '../http/signed-links.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

const ALIVE_MS = 1000;

/**
 * The zips that are being written.
 * @param options `atOnce`: maximum number for one user; `isAlive`: whether what requested a zip still
 * exists; `refuse` makes the error beyond the maximum; `broke` is logged when a zip fails
 */
export function createZipRuns({
  atOnce,
  isAlive,
  refuse,
  broke,
  log,
}: {
  atOnce: number;
  isAlive: SignedLinksOptions['isAlive'];
  refuse: () => HttpError;
  broke: string;
  log: Pick<FastifyBaseLogger, 'error'>;
}) {
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
      if (!zip.ended.aborted) log.error({ err: error, userId: holder.userId }, broke);
      zip.destroy(error as Error);
    }
  };

  return {
    /** `prepare` returns what writes the members. @throws HttpError beyond the maximum */
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

    async close(): Promise<void> {
      for (const zip of underWay.keys()) zip.destroy(new Error('the server stops'));
      await Promise.all(runs);
    },
  };
}
