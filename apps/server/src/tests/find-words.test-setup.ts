import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A word, and the path below the searched folder of a file that contains it. */
export interface Sighting {
  word: string;
  file: string;
}

const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true });

/** A running server removes some of its files and folders during a search. */
function ifRemoved(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}

/** Where words occur in the bytes of the files below a folder, regardless of case. */
export async function findWords(folder: string, words: readonly string[]): Promise<Sighting[]> {
  const sightings: Sighting[] = [];
  const search = async (parent: string, entries: readonly Dirent[]): Promise<void> => {
    for (const entry of entries) {
      const file = path.join(parent, entry.name);
      if (entry.isDirectory()) await search(file, (await entriesOf(file).catch(ifRemoved)) ?? []);
      if (!entry.isFile()) continue;
      const bytes = await readFile(file).catch(ifRemoved);
      const text = bytes?.toString('latin1').toLowerCase() ?? '';
      for (const word of words) {
        if (text.includes(word.toLowerCase()))
          sightings.push({ word, file: path.relative(folder, file) });
      }
    }
  };
  await search(folder, await entriesOf(folder));
  return sightings;
}
