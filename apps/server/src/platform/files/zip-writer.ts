import type { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface NewMember {
  path: string;
  content: Readable;
  at: Date;
  /** False for what is packed already. */
  compress: boolean;
}

/** A zip knows no earlier date. */
const EARLIEST = new Date(Date.UTC(1980, 0, 2));

/** A zip that is read while it is written: a reader that is slow slows the writing, one that goes ends it. */
export function createZipWriter() {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const ended = new AbortController();
  output.once('close', () => ended.abort());
  // Whoever writes is told by the signal, whoever reads by the stream.
  output.on('error', () => undefined);
  zip.on('error', (error: Error) => output.destroy(error));

  return {
    output,

    /** Aborted when nobody reads the zip any more. */
    ended: ended.signal,

    /** Resolves when the whole content has been taken. Rejects when it broke, or nobody reads. */
    async add({ path, content, at, compress }: NewMember): Promise<void> {
      try {
        ended.signal.throwIfAborted();
        const mtime = at < EARLIEST ? EARLIEST : at;
        // What ends the content ends the wait below.
        const read = finished(content, { signal: ended.signal, writable: false });
        zip.addReadStream(content, path, { mtime, compress });
        await read;
      } finally {
        content.destroy();
      }
    },

    addFolder: (path: string, at: Date): void => zip.addEmptyDirectory(path, { mtime: at }),

    /** To be called after the last member. */
    end: (): void => zip.end(),

    /** Breaks it off, so that nobody takes it for whole. */
    destroy: (error: Error): void => void output.destroy(error),
  };
}

export type ZipWriter = ReturnType<typeof createZipWriter>;
