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

/** Writes a zip while it is read, with backpressure. */
export function createZipWriter() {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const ended = new AbortController();
  output.once('close', () => ended.abort());
  // Writers get errors from the signal, readers from the stream.
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

    /** Aborts the zip, so that it does not look complete. */
    destroy: (error: Error): void => void output.destroy(error),
  };
}

export type ZipWriter = ReturnType<typeof createZipWriter>;

/** How often a zip checks that its holder still exists, in milliseconds. */
const ALIVE_MS = 1000;

/**
 * Runs the zips of all users.
 * @param options `maxParallel`: for each user; `isAlive`: whether the holder still exists; `tooMany`: the
 * error beyond the maximum; `failureMessage`: logged if a zip fails
 */
export function createZipRuns({
  maxParallel,
  isAlive,
  tooMany,
  failureMessage,
  log,
}: {
  maxParallel: number;
  isAlive: SignedLinksOptions['isAlive'];
  tooMany: () => HttpError;
  failureMessage: string;
  log: Pick<FastifyBaseLogger, 'error'>;
}) {
  const open = new Map<ZipWriter, string>();
  const runs = new Set<Promise<void>>();

  const run = async (
    zip: ZipWriter,
    holder: LinkHolder,
    write: (zip: ZipWriter) => Promise<void>,
  ): Promise<void> => {
    const watch = setInterval(() => {
      isAlive(holder).then(
        (alive) => {
          if (!alive) zip.destroy(new Error('the session or key that requested the zip has ended'));
        },
        (error: Error) => zip.destroy(error),
      );
    }, ALIVE_MS);
    zip.output.once('close', () => clearInterval(watch));
    try {
      await write(zip);
      zip.end();
    } catch (error) {
      if (!zip.ended.aborted) log.error({ err: error, userId: holder.userId }, failureMessage);
      zip.destroy(error as Error);
    }
  };

  return {
    /** `prepare` returns a function that writes the members. @throws HttpError beyond the maximum */
    async start(
      holder: LinkHolder,
      prepare: () => Promise<(zip: ZipWriter) => Promise<void>>,
    ): Promise<Readable> {
      const ofUser = [...open.values()].filter((owner) => owner === holder.userId);
      if (ofUser.length >= maxParallel) throw tooMany();
      const zip = createZipWriter();
      open.set(zip, holder.userId);
      zip.output.once('close', () => open.delete(zip));
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
      for (const zip of open.keys()) zip.destroy(new Error('the server is stopping'));
      await Promise.all(runs);
    },
  };
}
