import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

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
