import { refuse } from './check.ts';
import { isNode } from './settings.ts';

const PIECE = 65_536;

/** Loads a module of Node where it is needed; what packs programs for browsers sees none. */
export const load = <T>(name: string): Promise<T> =>
  import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<T>;

/** One file of a form. */
export interface Part {
  name: string;
  /** Media type; empty where it is not known. */
  type: string;
  /** Bytes; null where that is not known. */
  size: number | null;
  /** Whether it can be read once more from its beginning. */
  again: boolean;
  /** What a browser can send. */
  blob: Blob | null;
  /** Reads it, a piece at a time. */
  open: () => AsyncIterable<Uint8Array>;
}

/** The disk of the machine that this runs on. */
export interface Disk {
  /** Throws Node's own error, such as ENOENT, where the file is missing or cannot be read. */
  partOfPath: (source: string | URL, name?: string) => Promise<Part>;
  /**
   * The file that a download becomes; in a folder it has the last part of the file's own name. Throws
   * Node's ENOENT where the folder is missing.
   */
  destination: (to: string | URL, name: string) => Promise<string>;
  /** Writes pieces to a file that is there as a whole or not at all. */
  save: (pieces: AsyncIterable<Uint8Array>, to: string) => Promise<void>;
}

/** The disk; an ArgumentError where there is none, as in a browser. */
export async function disk(): Promise<Disk> {
  if (!isNode) refuse('There are no paths in a browser: hand in a File or a Blob.', 'no_disk');
  const [files, paths, { fileURLToPath }] = await Promise.all([
    load<typeof import('node:fs/promises')>('node:fs/promises'),
    load<typeof import('node:path')>('node:path'),
    load<typeof import('node:url')>('node:url'),
  ]);
  const pathOf = (source: string | URL): string => {
    if (typeof source === 'string') return source;
    const isFile = source.protocol === 'file:';
    return isFile ? fileURLToPath(source) : refuse(`${source.href} is no file.`, 'no_file');
  };
  const find = (path: string) => files.stat(path).catch(() => null);

  async function* read(path: string): AsyncGenerator<Uint8Array> {
    const handle = await files.open(path);
    try {
      for (;;) {
        // A piece of its own each time: the one before is still on its way out.
        const { bytesRead, buffer } = await handle.read(new Uint8Array(PIECE), 0, PIECE);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  return {
    async partOfPath(source, name) {
      const path = pathOf(source);
      const found = await files.stat(path);
      if (!found.isFile()) return refuse(`${JSON.stringify(path)} is not a file.`, 'no_file');
      await files.access(path, files.constants.R_OK);
      return {
        name: name ?? paths.basename(path),
        type: '',
        size: found.size,
        again: true,
        blob: null,
        open: () => read(path),
      };
    },

    async destination(to, name) {
      let path = pathOf(to);
      if ((await find(path))?.isDirectory()) {
        // A file's name is what somebody called it, and must lead to no other folder.
        const own = (name.split(/[/\\]/u).at(-1) ?? '').replaceAll('\0', '');
        path = paths.join(path, ['', '.', '..'].includes(own) ? 'file' : own);
      }
      const folder = paths.dirname(path);
      if ((await files.stat(folder)).isDirectory()) return path;
      return refuse(`${JSON.stringify(folder)} is not a folder.`, 'no_folder');
    },

    async save(pieces, to) {
      // Beside its name first, so that nobody meets half a file.
      const beside = paths.join(paths.dirname(to), `.engram-${crypto.randomUUID()}`);
      const handle = await files.open(beside, 'wx');
      try {
        for await (const piece of pieces) await handle.writeFile(piece);
        await handle.close();
        await files.rename(beside, to);
      } catch (error) {
        await handle.close().catch(() => undefined);
        await files.rm(beside, { force: true });
        throw error;
      }
    },
  };
}
