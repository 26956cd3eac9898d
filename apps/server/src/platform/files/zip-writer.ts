import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyBaseLogger } from 'fastify';
import { ZipFile } from 'yazl';
import type { HttpError } from '../http/errors.ts';
import type { LinkHolder, SignedLinksOptions } from '../http/signed-links.ts';

interface NewMember {
  path: string;
  content: Readable;
  at: Date;
  /** False for compressed content. */
  compress: boolean;
}

const EARLIEST = new Date(Date.UTC(1980, 0, 2));

/** A zip that is read while it is written, with backpressure. */
export function createZipWriter() {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const ended = new AbortController();
  output.once('close', () => ended.abort());
  // Writers are informed by the signal, readers by the stream.
  output.on('error', () => undefined);
  zip.on('error', (error: Error) => output.destroy(error));

  return {
    output,

    ended: ended.signal,

    async add({ path, content, at, compress }: NewMember): Promise<void> {
      try {
        ended.signal.throwIfAborted();
        const mtime = at < EARLIEST ? EARLIEST : at;
        const read = finished(content, { signal: ended.signal, writable: false });
        zip.addReadStream(content, path, { mtime, compress });
        await read;
      } finally {
        content.destroy();
      }
    },

    addFolder: (path: string, at: Date): void => zip.addEmptyDirectory(path, { mtime: at }),

    end: (): void => zip.end(),

    /** Aborts the zip, so that it is not taken for complete. */
    destroy: (error: Error): void => void output.destroy(error),
  };
}

export type ZipWriter = ReturnType<typeof createZipWriter>;

/** Interval at which a zip checks that what requested it still exists, in milliseconds. */
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
