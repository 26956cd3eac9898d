import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createTallies, type Tally } from './findings.ts';

const OTHERS = 0o077;

async function* entriesOf(folder: string): AsyncGenerator<string> {
  yield folder;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* entriesOf(full);
    else if (entry.isFile()) yield full;
  }
}

/** Returns false if the entry belongs to another user. */
const makePrivate = (entry: string, mode: number): Promise<boolean> =>
  chmod(entry, mode & ~OTHERS & 0o7777).then(
    () => true,
    () => false,
  );

/**
 * Finds files in the data folder that other users of the machine can open, and makes them private if
 * `fix` is true. Windows has access lists instead and is not checked.
 */
export async function checkModes(dataDir: string, fix: boolean): Promise<Tally[]> {
  const tallies = createTallies();
  if (process.platform === 'win32') return tallies.list();
  for await (const entry of entriesOf(dataDir)) {
    // The entry may have been deleted since it was listed.
    const mode = await stat(entry).then(
      (entryStat) => entryStat.mode,
      () => 0,
    );
    if ((mode & OTHERS) === 0) continue;
    const isFixed = fix && (await makePrivate(entry, mode));
    tallies.add('open-to-others', path.relative(dataDir, entry) || '.', isFixed);
  }
  return tallies.list();
}
