import { StreamBrokenError } from '../errors.ts';
import type { StreamedPart } from '../multipart.ts';
import { refuse } from './check.ts';
import { isNode } from './settings.ts';

/** Called with the bytes that were sent or written, and their total, or null if it is unknown. */
export type Progress = (done: number, total: number | null) => void;

/** Loads a module of Node on demand, hidden from bundlers for browsers. */
export const load = <T>(name: string): Promise<T> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<T>;

/** One file of a form. */
export interface Part extends StreamedPart {
  /** Whether it can be read again, for a retry. */
  isRepeatable: boolean;
  /** For browsers, which cannot send streams. */
  blob: Blob | null;
}

/** Reads and writes files. Throws an ArgumentError in a browser. */
export async function disk() {
  if (!isNode) refuse('Browsers have no paths: pass a File or a Blob.', 'no_disk');
  const [files, { createReadStream }, paths, { fileURLToPath }] = await Promise.all([
    load<typeof import('node:fs/promises')>('node:fs/promises'),
    load<typeof import('node:fs')>('node:fs'),
    load<typeof import('node:path')>('node:path'),
    load<typeof import('node:url')>('node:url'),
  ]);
  const pathOf = (source: string | URL): string => {
    if (typeof source === 'string') return source;
    const isFile = source.protocol === 'file:';
    return isFile ? fileURLToPath(source) : refuse(`${source.href} is not a file.`, 'no_file');
  };
  const statOrNull = (path: string) => files.stat(path).catch(() => null);

  return {
    /** Throws Node's own error, such as ENOENT, if the file is missing or cannot be read. */
    async partOfPath(source: string | URL, name?: string): Promise<Part> {
      const path = pathOf(source);
      const stats = await files.stat(path);
      if (!stats.isFile()) return refuse(`${JSON.stringify(path)} is not a file.`, 'no_file');
      await files.access(path, files.constants.R_OK);
      return {
        name: name ?? paths.basename(path),
        type: '',
        size: stats.size,
        isRepeatable: true,
        blob: null,
        open: () => createReadStream(path),
      };
    },

    /** The path of a download: `to`, or in that folder the file's own name. Throws Node's ENOENT. */
    async destination(to: string | URL, name: string): Promise<string> {
      let path = pathOf(to);
      if ((await statOrNull(path))?.isDirectory()) {
        // The name comes from the server and must not lead to another folder.
        const baseName = (name.split(/[/\\]/u).at(-1) ?? '').replaceAll('\0', '');
        path = paths.join(path, ['', '.', '..'].includes(baseName) ? 'file' : baseName);
      }
      const folder = paths.dirname(path);
      if ((await files.stat(folder)).isDirectory()) return path;
      return refuse(`${JSON.stringify(folder)} is not a folder.`, 'no_folder');
    },

    /** Writes a response to a file, completely or not at all. Returns its path. */
    async save(response: Response, to: string, onProgress?: Progress): Promise<string> {
      const length = response.headers.get('content-length');
      const total = length === null ? null : Number(length);
      let written = 0;
      // An incomplete file never has the final name.
      const temporary = paths.join(paths.dirname(to), `.engram-${crypto.randomUUID()}`);
      const handle = await files.open(temporary, 'wx');
      try {
        for await (const chunk of response.body ?? []) {
          await handle.writeFile(chunk);
          written += chunk.length;
          onProgress?.(written, total);
        }
        if (total !== null && written < total && !response.headers.has('content-encoding')) {
          throw new StreamBrokenError('The download was cut off.');
        }
        await handle.close();
        await files.rename(temporary, to);
        return to;
      } catch (error) {
        await handle.close().catch(() => undefined);
        await files.rm(temporary, { force: true });
        throw error;
      }
    },
  };
}
