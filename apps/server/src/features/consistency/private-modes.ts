import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createTallies, type Tally } from './findings.ts';

const OTHERS = 0o077;

/** A folder and everything in it, without following links. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  yield folder;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* entriesOf(full);
    else if (entry.isFile()) yield full;
  }
}

/** Returns false if it fails, because the entry belongs to another user. */
const close = (entry: string, mode: number): Promise<boolean> =>
  chmod(entry, mode & ~OTHERS & 0o7777).then(
    () => true,
    () => false,
  );

/**
 * Finds files in the data folder that other users of the machine can open, and can fix them. Windows
 * uses access lists instead, and is not checked.
 */
export async function checkModes(dataDir: string, fix: boolean): Promise<Tally[]> {
  const tallies = createTallies();
  if (process.platform === 'win32') return tallies.list();
  for await (const entry of entriesOf(dataDir)) {
    // It may have been deleted since it was listed.
    const mode = await stat(entry).then(
      (entryStat) => entryStat.mode,
      () => 0,
    );
    if ((mode & OTHERS) === 0) continue;
    const closed = fix && (await close(entry, mode));
    tallies.add('open-to-others', path.relative(dataDir, entry) || '.', closed);
  }
  return tallies.list();
}
