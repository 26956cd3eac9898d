import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A word, and the path below the searched folder of a file that contains it. */
export interface Sighting {
  word: string;
  file: string;
}

/** Where words occur in the bytes of the files below a folder, regardless of case. */
export async function findWords(folder: string, words: readonly string[]): Promise<Sighting[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sightings: Sighting[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = (await readFile(file)).toString('latin1').toLowerCase();
    for (const word of words) {
      if (text.includes(word.toLowerCase()))
        sightings.push({ word, file: path.relative(folder, file) });
    }
  }
  return sightings;
}
