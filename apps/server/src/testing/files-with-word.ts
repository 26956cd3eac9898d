import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The files below a folder in whose bytes a word stands, in any case. */
export async function filesWithWord(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = (await readFile(file)).toString('latin1').toLowerCase();
    if (bytes.includes(word.toLowerCase())) found.push(path.relative(folder, file));
  }
  return found;
}
